import { useLingui } from '@lingui/react/macro'
import { CirclePlay, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { UploadedFile } from '@/api/types'
import { Sheet } from '@/ui/Sheet'
import { Picture, Video } from './Picture'

/**
 * Files as small pictures, each of which opens a sheet.
 *
 * The links in responses are renewed every few minutes, but a file is loaded only once, and again if its link has
 * expired.
 */
export function Gallery({
  files,
  title,
  note,
  warning,
  size = 'size-24',
  renew,
}: {
  files: readonly UploadedFile[]
  /** The name of the files, for the sheet and for screen readers. */
  title: string
  /** Shown under the enlarged file. */
  note?: ReactNode
  /** Returns a short warning to show under a small picture; empty without one. */
  warning?: (file: UploadedFile) => string
  /** The size of the small pictures. */
  size?: string
  /** Called when the newest known link of a file has expired. */
  renew?: () => void
}) {
  const { t } = useLingui()
  const [shown, setShown] = useState(0)
  const [open, setOpen] = useState(false)
  const file = files[shown]
  return (
    <>
      <ul className="flex flex-wrap gap-3">
        {files.map((one, index) => (
          <li key={one.id} className="flex w-min flex-col gap-1">
            <button
              type="button"
              aria-label={t`Enlarge: ${title} ${index + 1}`}
              onClick={() => {
                setShown(index)
                setOpen(true)
              }}
              className={`grid ${size} place-items-center overflow-hidden rounded-2xl border border-line bg-sunken text-muted transition-opacity active:opacity-70`}
            >
              {one.kind === 'VIDEO' ? (
                <CirclePlay size={32} aria-hidden="true" />
              ) : (
                <Picture file={one} alt="" className="size-full object-cover" renew={renew} />
              )}
            </button>
            <Warning text={warning?.(one) ?? ''} />
          </li>
        ))}
      </ul>
      <Sheet open={open && file !== undefined} onClose={() => setOpen(false)} title={title}>
        {file === undefined ? null : (
          <div className="flex flex-col gap-4">
            {file.kind === 'VIDEO' ? (
              <Video
                key={file.id}
                file={file}
                className="max-h-[65dvh] w-full rounded-2xl bg-black"
                renew={renew}
              />
            ) : (
              <Picture
                key={file.id}
                file={file}
                alt={`${title} ${shown + 1}`}
                className="mx-auto max-h-[65dvh] rounded-2xl bg-white"
                renew={renew}
              />
            )}
            {note}
          </div>
        )}
      </Sheet>
    </>
  )
}

function Warning({ text }: { text: string }) {
  if (text === '') return null
  return (
    <span className="flex items-center gap-1 text-warn text-xs">
      <TriangleAlert size={13} className="shrink-0" aria-hidden="true" />
      {text}
    </span>
  )
}
