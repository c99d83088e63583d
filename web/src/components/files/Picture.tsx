import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import type { UploadedFile } from '@/api/types'

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

/** A video that keeps its first link until it expires. */
export function Video({
  file,
  className,
  renew,
}: {
  file: UploadedFile
  className: string
  renew?: (() => void) | undefined
}) {
  const { address, failed } = useLink(file, renew)
  return (
    <video src={address} controls playsInline onError={failed} className={className}>
      <track kind="captions" />
    </video>
  )
}
