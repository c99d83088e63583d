import type { AdvertKind, AdvertSide } from '@/api/types'

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
