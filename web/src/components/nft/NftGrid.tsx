import { useLingui } from '@lingui/react/macro'
import type { HallAdvert } from '@/api/types'
import { NftCard, NftCardSkeleton } from './NftCard'

/** Two columns on a phone, and four on a desktop beside the filters. */
const GRID = 'grid grid-cols-2 gap-2.5 pt-1 max-2xs:grid-cols-1 sm:grid-cols-4 lg:gap-3'

/** The ads for NFTs in the hall; placeholders until they are loaded. */
export function NftGrid({
  adverts,
  old,
}: {
  adverts: readonly HallAdvert[] | undefined
  /** Whether these are the ads of the previous filters. */
  old: boolean
}) {
  const { t } = useLingui()
  if (adverts === undefined) {
    return (
      <ul aria-hidden="true" className={GRID}>
        {[1, 2, 3, 4, 5, 6].map((key) => (
          <NftCardSkeleton key={key} />
        ))}
      </ul>
    )
  }
  return (
    <ul aria-label={t`NFTs`} className={`${GRID} ${old ? 'opacity-60 transition-opacity' : ''}`}>
      {adverts.map((advert) => (
        <NftCard key={advert.id} advert={advert} />
      ))}
    </ul>
  )
}
