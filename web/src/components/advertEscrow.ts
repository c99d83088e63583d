import type { Advert, AdvertKind, AdvertSide } from '@/api/types'
import type { AppPath } from '@/navigation/navigation'

/** Returns the asset that an ad escrows; null for one that buys manually, which escrows nothing. */
export function escrowedAsset({
  side,
  kind,
  base,
  quote,
}: {
  side: AdvertSide
  /** Manual until it is chosen. */
  kind: AdvertKind | null
  base: string
  quote: string
}): string | null {
  if (side === 'SELL') return base
  return kind === 'AUTOMATIC' ? quote : null
}

/** Returns the screen of an ad that was just created: another one for ads that escrow an NFT, or coins of their quote. */
export function creatingPath(advert: Pick<Advert, 'side' | 'kind' | 'base' | 'quote' | 'nft'>): AppPath {
  return advert.nft !== null || escrowedAsset(advert) === advert.quote ? '/creatingOther' : '/creating'
}
