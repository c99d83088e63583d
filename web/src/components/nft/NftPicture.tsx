import { useLingui } from '@lingui/react/macro'
import { Hourglass, ImageOff } from 'lucide-react'
import { useState } from 'react'
import { nftName } from '@/api/nftName'
import type { Nft } from '@/api/nfts'
import { NOT_LOADED, PICTURE_FAULTS } from './pictureFaults'

/** The picture of an NFT, from the product's own files; or why there is none. */
export function NftPicture({
  nft,
  size,
  brief = false,
}: {
  nft: Nft
  size: 'small' | 'large'
  /** Whether there is no room for a reason, which is then only a description. */
  brief?: boolean
}) {
  const { t } = useLingui()
  const [failed, setFailed] = useState<string | null>(null)
  const source = nft.picture?.[size]
  const name = nft.name ?? nftName(nft)
  if (source === undefined || source === failed) {
    const why = t(nft.pictureRefused === null ? NOT_LOADED : PICTURE_FAULTS[nft.pictureRefused])
    const Icon = nft.pictureRefused === 'PENDING' ? Hourglass : ImageOff
    return (
      <span
        role="img"
        aria-label={t`No picture of ${name}: ${why}`}
        title={why}
        className="flex size-full flex-col items-center justify-center gap-2 bg-sunken p-2 text-center text-muted text-xs leading-snug"
      >
        <Icon size={brief ? 20 : 26} strokeWidth={1.75} aria-hidden="true" />
        {brief ? null : <span aria-hidden="true">{why}</span>}
      </span>
    )
  }
  return (
    <img
      src={source}
      alt={t`Picture of ${name}`}
      width={size === 'small' ? 256 : 1024}
      height={size === 'small' ? 256 : 1024}
      loading={size === 'small' ? 'lazy' : 'eager'}
      decoding="async"
      onError={() => setFailed(source)}
      className="size-full bg-sunken object-cover"
    />
  )
}
