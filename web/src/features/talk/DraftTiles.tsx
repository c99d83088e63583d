import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ImagePlus } from 'lucide-react'
import { useId } from 'react'
import { ACCEPT, UploadTile } from '@/components/files/FileField'
import type { DraftFiles } from './useDraftFiles'

/** Adds files to the message that is being written. */
export function AttachButton({ full, add }: { full: boolean; add: (files: readonly File[]) => void }) {
  const { t } = useLingui()
  const id = useId()
  return (
    <label
      htmlFor={id}
      title={t`Add a picture or video`}
      className={`grid size-11 shrink-0 place-items-center rounded-full transition-colors focus-within:outline-2 focus-within:outline-brand ${full ? 'text-muted opacity-50' : 'cursor-pointer text-ink hover:bg-sunken active:opacity-70'}`}
    >
      <ImagePlus size={22} aria-hidden="true" />
      <input
        id={id}
        type="file"
        className="sr-only"
        aria-label={t`Add a picture or video`}
        accept={ACCEPT.any}
        multiple
        disabled={full}
        onChange={(event) => {
          add(Array.from(event.target.files ?? []))
          // So that the same file can be chosen again.
          event.target.value = ''
        }}
      />
    </label>
  )
}

/** The files of the message that is being written, before it is sent. */
export function DraftTiles({ draft }: { draft: DraftFiles }) {
  const { t } = useLingui()
  const { uploads, lost } = draft
  const { items, ids, busy, failed } = uploads
  const done = ids.length
  const total = items.length
  if (total === 0 && lost === 0) return null
  return (
    <div className="max-h-[40dvh] overflow-y-auto px-4 pt-4 pb-1">
      {lost > 0 ? (
        <p role="alert" className="pb-2 text-sm text-warn">
          <Plural
            value={lost}
            one="# file wasn’t uploaded before this page was closed. Add it again."
            other="# files weren’t uploaded before this page was closed. Add them again."
          />
        </p>
      ) : null}
      <ul aria-label={t`Files to send`} className="flex flex-wrap gap-3 empty:hidden">
        {items.map((item, index) => (
          <UploadTile
            key={item.key}
            item={item}
            number={index + 1}
            retry={() => uploads.retry(item.key)}
            remove={() => uploads.remove(item.key)}
          />
        ))}
      </ul>
      <p role="status" className={total === 0 ? 'sr-only' : 'pt-2 text-muted text-sm'}>
        {total === 0 ? null : failed ? (
          <Trans>Remove the files that weren’t uploaded, or try again.</Trans>
        ) : busy ? (
          <Trans>
            {done} of {total} uploaded
          </Trans>
        ) : (
          <Trans>Both parties see these files, and officers in a dispute.</Trans>
        )}
      </p>
    </div>
  )
}
