import type { ReactNode } from 'react'
import { nftName } from '@/api/nftName'
import type { Nft } from '@/api/nfts'
import { NftPicture } from './NftPicture'

/**
 * An NFT in one line: its small picture, its name, and its album and number. Names are isolated, because strangers choose them,
 * and characters of another direction in them must not move the number.
 */
export default function NftLine({ nft, below }: { nft: Nft; below?: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <span className="size-12 shrink-0 overflow-hidden rounded-xl">
        <NftPicture nft={nft} size="small" brief />
      </span>
      <span className="min-w-0">
        <span className="block font-semibold leading-tight [overflow-wrap:anywhere]">
          <bdi>{nft.name ?? nftName(nft)}</bdi>
        </span>
        <span className="block text-muted text-sm [overflow-wrap:anywhere]">
          {nft.name === null ? nft.album : nftName(nft)}
        </span>
        {below}
      </span>
    </span>
  )
}
