import { useLingui } from '@lingui/react/macro'
import { Film, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { UploadedFile } from '@/api/types'
import { Sheet } from '@/ui/Sheet'

/**
 * Files as small pictures, each of which opens a sheet.
 *
 * The links in responses are renewed every few minutes, but a picture is loaded only once, and again if its link has
 * expired.
 */
export function Gallery({
  files,
  title,
  note,
  warning,
}: {
  files: readonly UploadedFile[]
  /** The name of the files, for the sheet and for screen readers. */
  title: string
  /** Shown under the enlarged file. */
  note?: ReactNode
  /** Returns a short warning to show under a small picture; empty without one. */
  warning?: (file: UploadedFile) => string
}) {
  const { t } = useLingui()
  const [shown, setShown] = useState(0)
  const [open, setOpen] = useState(false)
  const file = files[shown]
  return (
    <>
      <ul className="flex flex-wrap gap-3">
        {files.map((one, index) => (
          <li key={one.id} className="flex w-24 flex-col gap-1">
            <button
              type="button"
              aria-label={t`Enlarge: ${title} ${index + 1}`}
              onClick={() => {
                setShown(index)
                setOpen(true)
              }}
              className="grid size-24 place-items-center overflow-hidden rounded-2xl border border-line bg-sunken text-muted transition-opacity active:opacity-70"
            >
              {one.kind === 'VIDEO' ? (
                <Film size={28} aria-hidden="true" />
              ) : (
                <Picture file={one} alt="" className="size-full object-cover" />
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
              <video
                key={file.id}
                src={file.url}
                controls
                playsInline
                className="max-h-[65dvh] w-full rounded-2xl bg-black"
              >
                <track kind="captions" />
              </video>
            ) : (
              <Picture
                key={file.id}
                file={file}
                alt={`${title} ${shown + 1}`}
                className="mx-auto max-h-[65dvh] rounded-2xl bg-white"
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

/** A picture that keeps its first link until it expires. */
export function Picture({ file, alt, className }: { file: UploadedFile; alt: string; className: string }) {
  const [link, setLink] = useState(file.url)
  return (
    <img
      src={link}
      alt={alt}
      width={file.width ?? undefined}
      height={file.height ?? undefined}
      loading="lazy"
      decoding="async"
      className={className}
      onError={() => setLink(file.url)}
    />
  )
}
