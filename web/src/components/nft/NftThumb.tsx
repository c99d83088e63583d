import type { Nft } from '@/api/nfts'
import { NftPicture } from './NftPicture'

/** The small picture of an NFT, within a line of text. */
export default function NftThumb({ nft }: { nft: Nft }) {
  return (
    <span className="block size-7 shrink-0 overflow-hidden rounded-lg">
      <NftPicture nft={nft} size="small" brief />
    </span>
  )
}
