import { Plural, Trans } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { api, read } from '@/api/client'
import { coinConfig, keys } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { useCoins } from '@/components/useCoins'
import { hrefTo, useCurrentHref, useGo } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button } from '@/ui/Button'
import { RadioCards } from '@/ui/RadioCards'
import { Skeleton } from '@/ui/Skeleton'
import { CoinWish } from './filters/CoinWish'
import { QuickTradeLink } from './filters/QuickTradeLink'
import { SavedFilters, SaveFilter } from './filters/SavedFilters'
import { TraderFilters } from './filters/TraderFilters'
import { useFilterOptions } from './filters/useFilterOptions'
import { HallCount } from './HallCount'
import {
  countHidden,
  type HallFilter,
  hallAddress,
  hallQuery,
  NO_FILTERS,
  readHall,
  START,
  settled,
} from './hallState'

export { default as MatchingPage } from './MatchingPage'
export { HallTrade } from './matching/HallTrade'

/** All filters of coins in the hall, which has those of NFTs. Its address keeps what is chosen here; the hall gets it with the button. */
export default function FiltersPage() {
  const { pairs } = useCoins()
  const config = useQuery(coinConfig)
  const address = useCurrentHref()
  const hall = settled(readHall(address) ?? START, pairs)
  const go = useGo()
  const nfts = hall.wish === 'NFT' && hall.quote !== ''
  const leave = useEffectEvent(() => go.replace('/', hallAddress(hall)))
  useEffect(() => {
    if (nfts) leave()
  }, [nfts])
  if (hall.wish !== 'NFT' && hall.base !== '') return <Filters hall={hall} />
  if (config.isError) return <QueryError error={config.error} retry={() => void config.refetch()} />
  return (
    <div className="flex flex-col gap-4 pt-3">
      <Skeleton className="h-12 w-full rounded-2xl" />
      <Skeleton className="h-20 w-full rounded-2xl" />
      <Skeleton className="h-20 w-full rounded-2xl" />
      <Skeleton className="h-72 w-full rounded-2xl" />
    </div>
  )
}

function Filters({ hall }: { hall: HallFilter }) {
  const go = useGo()
  const { sorts } = useFilterOptions(hall)
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...keys.hall, 'count', hall],
    queryFn: () => read(api.GET('/c2c/advert/page', { params: { query: hallQuery(hall, 1, 1) } })),
    placeholderData: keepPreviousData,
  })
  const change = (some: Partial<HallFilter>) => go.replace('/filters', hallAddress({ ...hall, ...some }))
  return (
    <div className="flex flex-col gap-4 pt-1">
      <CoinWish hall={hall} onChange={(wish) => change({ wish })} />
      <QuickTradeLink hall={hall} />
      <SavedFilters />
      <TraderFilters hall={hall} onChange={change} />
      <RadioCards
        name="sort"
        legend={<Trans>Sort</Trans>}
        value={hall.sort}
        options={sorts.map(([value, title]) => ({ value, title }))}
        onChange={(sort) => change({ sort })}
      />
      <SaveFilter hall={hall} />
      <ActionBar>
        <Button
          tone="plain"
          disabled={countHidden(hall) === 0}
          onClick={() => change({ ...NO_FILTERS, amount: hall.amount, sort: '' })}
        >
          <Trans>Clear all</Trans>
        </Button>
        <Button wide onClick={() => go.follow(hrefTo('/', hallAddress(hall)))}>
          <HallCount total={data?.total} old={isPlaceholderData} text={countText} />
        </Button>
      </ActionBar>
    </div>
  )
}

function countText(total: number | undefined) {
  if (total === undefined) return <Trans>Show ads</Trans>
  return <Plural value={total} _0="No matching ads" one="Show # ad" other="Show # ads" />
}
