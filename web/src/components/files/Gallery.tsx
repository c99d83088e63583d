import { useLingui } from '@lingui/react/macro'
import { CirclePlay, ImageOff, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { UploadedFile } from '@/api/types'
import { Sheet } from '@/ui/Sheet'

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
              <Video key={file.id} file={file} renew={renew} />
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

interface Link {
  address: string
  /** Whether nothing can be loaded from the newest known link. */
  broken: boolean
  failed: () => void
}

/** Keeps the first link to a file until it fails, and then follows the newest one. */
function useLink({ url }: UploadedFile, renew?: () => void): Link {
  const [address, setAddress] = useState(url)
  const [broken, setBroken] = useState(false)
  if (broken && address !== url) {
    setAddress(url)
    setBroken(false)
  }
  const failed = () => {
    setBroken(true)
    if (address === url) renew?.()
  }
  return { address, broken, failed }
}

/** A picture that keeps its first link until it expires. */
export function Picture({
  file,
  alt,
  className,
  renew,
}: {
  file: UploadedFile
  alt: string
  className: string
  renew?: (() => void) | undefined
}) {
  const { address, broken, failed } = useLink(file, renew)
  if (broken)
    return (
      <span className="grid min-h-20 min-w-20 place-items-center text-muted">
        <ImageOff size={28} role="img" aria-label={alt} aria-hidden={alt === ''} />
      </span>
    )
  return (
    <img
      src={address}
      alt={alt}
      width={file.width ?? undefined}
      height={file.height ?? undefined}
      loading="lazy"
      decoding="async"
      className={className}
      onError={failed}
    />
  )
}

function Video({ file, renew }: { file: UploadedFile; renew?: (() => void) | undefined }) {
  const { address, failed } = useLink(file, renew)
  return (
    <video
      src={address}
      controls
      playsInline
      onError={failed}
      className="max-h-[65dvh] w-full rounded-2xl bg-black"
    >
      <track kind="captions" />
    </video>
  )
}
