import { Trans, useLingui } from '@lingui/react/macro'
import { Film, ImageOff, ImagePlus, RotateCw, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { Upload, UploadFault, Uploads } from './useUploads'

export const ACCEPT = {
  image: 'image/*',
  video: 'video/mp4,video/quicktime,video/webm',
  any: 'image/*,video/*',
} as const

/** A field for pictures or videos, which are uploaded as soon as they are chosen. */
export function FileField({
  label,
  hint,
  error = '',
  uploads,
  kinds = 'image',
  most,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string
  uploads: Uploads
  kinds?: keyof typeof ACCEPT
  /** The maximum number of files. */
  most: number
}) {
  const { t } = useLingui()
  const id = useId()
  const { items, ids, full } = uploads
  const done = ids.length
  const total = items.length
  const add =
    kinds === 'image' ? t`Add a picture` : kinds === 'video' ? t`Add a video` : t`Add a picture or video`
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" aria-describedby={`${id}-note`}>
      <legend className="mb-1.5 flex w-full flex-wrap justify-between gap-x-3 text-sm">
        <span className="font-medium text-ink">{label}</span>
        {most > 1 ? (
          <span className="text-muted">
            {total} / {most}
          </span>
        ) : null}
      </legend>
      <ul className="flex flex-wrap gap-3 empty:hidden">
        {items.map((item, index) => (
          <UploadTile
            key={item.key}
            item={item}
            number={index + 1}
            retry={() => uploads.retry(item.key)}
            remove={() => uploads.remove(item.key)}
          />
        ))}
        {full ? null : (
          <li>
            <label
              htmlFor={id}
              className="flex size-24 cursor-pointer flex-col items-center justify-center gap-1 rounded-2xl border border-line border-dashed px-1 text-center text-muted text-xs leading-tight transition-colors focus-within:outline-2 focus-within:outline-brand hover:bg-sunken"
            >
              <ImagePlus size={22} aria-hidden="true" />
              {add}
              <input
                id={id}
                type="file"
                className="sr-only"
                accept={ACCEPT[kinds]}
                multiple={most > 1}
                aria-describedby={`${id}-note`}
                onChange={(event) => {
                  uploads.add(Array.from(event.target.files ?? []))
                  // So that the same file can be chosen again.
                  event.target.value = ''
                }}
              />
            </label>
          </li>
        )}
      </ul>
      <p
        id={`${id}-note`}
        role={error === '' ? undefined : 'alert'}
        className={`min-h-5 pb-1.5 text-sm leading-snug ${error === '' ? 'text-muted' : 'text-sell'}`}
      >
        {error === '' ? hint : error}
      </p>
      <p role="status" className="sr-only">
        {total === 0 ? null : (
          <Trans>
            {done} of {total} uploaded
          </Trans>
        )}
      </p>
    </fieldset>
  )
}

function useFaults(): Record<UploadFault, string> {
  const { t } = useLingui()
  return {
    unreadable: t`This file can’t be read. Choose another one.`,
    tooLarge: t`This file is too large.`,
    tooLong: t`This video is too long.`,
    tooMany: t`You have too many unused uploads. Try again tomorrow.`,
    tooMuch: t`You have uploaded too much today. Try again tomorrow.`,
    refused: t`The upload failed.`,
    offline: t`The upload failed. Check your connection.`,
  }
}

/** Faults after which another attempt may succeed. */
const RETRYABLE: ReadonlySet<UploadFault> = new Set(['refused', 'offline'])

/** A file that is or was uploaded, with its preview, progress and fault. */
export function UploadTile({
  item,
  number,
  retry,
  remove,
}: {
  item: Upload
  number: number
  retry: () => void
  remove: () => void
}) {
  const { t } = useLingui()
  const faults = useFaults()
  const { preview, progress, file, fault } = item
  const name = item.kind === 'image' ? t`Picture ${number}` : t`Video ${number}`
  const percent = Math.round(progress * 100)
  // The link of a file that was uploaded earlier expires.
  const [broken, setBroken] = useState(false)
  return (
    <li className={`flex gap-3 ${fault === null ? '' : 'w-full items-center'}`}>
      <div className="relative size-24 shrink-0">
        <div className="grid size-full place-items-center overflow-hidden rounded-2xl border border-line bg-sunken text-muted">
          {preview === '' ? (
            <Film size={26} role="img" aria-label={name} />
          ) : broken ? (
            <ImageOff size={26} role="img" aria-label={name} />
          ) : (
            <img
              src={preview}
              alt={name}
              className="size-full object-cover"
              onError={() => setBroken(true)}
            />
          )}
        </div>
        {file === null && fault === null ? (
          <div
            role="progressbar"
            aria-label={t`Uploading ${name}`}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
            className="absolute inset-x-2 bottom-2 h-1.5 overflow-hidden rounded-full bg-black/50"
          >
            <div
              className="h-full rounded-full bg-white transition-[width]"
              style={{ width: `${percent}%` }}
            />
          </div>
        ) : null}
        <button
          type="button"
          aria-label={t`Remove ${name}`}
          onClick={remove}
          className="absolute -top-3 -right-3 grid size-11 place-items-center"
        >
          <span className="grid size-7 place-items-center rounded-full bg-ink text-canvas">
            <X size={16} aria-hidden="true" />
          </span>
        </button>
      </div>
      {fault === null ? null : (
        <div role="alert" className="min-w-0 text-sell text-sm leading-snug">
          {faults[fault]}
          {RETRYABLE.has(fault) ? (
            <button
              type="button"
              onClick={retry}
              className="flex min-h-11 items-center gap-1.5 font-semibold text-brand"
            >
              <RotateCw size={15} aria-hidden="true" />
              <Trans>Try again</Trans>
            </button>
          ) : null}
        </div>
      )}
    </li>
  )
}
