import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { api, read } from '@/api/client'
import { keys, pollEvery } from '@/api/queries'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import { useCoins } from '@/components/useCoins'
import { AppLink, useCurrentHref } from '@/navigation/navigation'
import { Button, buttonClass } from '@/ui/Button'
import { Segments } from '@/ui/Chip'
import { EmptyState } from '@/ui/State'
import { AdvertCard, AdvertCardSkeleton } from './AdvertCard'
import { FilterRow } from './FilterRow'
import {
  filterHall,
  followAddress,
  type HallFilter,
  hallQuery,
  isFiltered,
  NO_FILTERS,
  settled,
  useHall,
} from './hallState'
import { Market } from './Market'

const SIZE = 20

export default function HallPage() {
  const { t } = useLingui()
  const address = useCurrentHref()
  // The page stays mounted behind other screens, whose addresses are not its own.
  const shown = /^\/(\?|$)/.test(address)
  useLayoutEffect(() => {
    if (shown) followAddress(address)
  }, [shown, address])
  const hall = settled(useHall(), useCoins().pairs)
  return (
    <>
      <Segments<HallFilter['wish']>
        name="wish"
        label={t`What do you want to do?`}
        value={hall.wish}
        onChange={(wish) => filterHall({ ...hall, wish })}
        tone={{ BUY: 'text-brand', SELL: 'text-sell' }}
        options={[
          { value: 'BUY', label: t`Buy` },
          { value: 'SELL', label: t`Sell` },
        ]}
      />
      <FilterRow hall={hall} />
      <Market base={hall.base} quote={hall.quote} />
      <Adverts hall={hall} />
    </>
  )
}

function Adverts({ hall }: { hall: HallFilter }) {
  const { t } = useLingui()
  const list = useInfiniteQuery({
    queryKey: [...keys.hall, hall],
    queryFn: ({ pageParam }) =>
      read(api.GET('/c2c/advert/page', { params: { query: hallQuery(hall, pageParam, SIZE) } })),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.page * last.size < last.total ? last.page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data === undefined || query.state.data.pages.length === 1
        ? pollEvery(10_000)(query)
        : false,
    enabled: hall.base !== '',
  })
  const adverts = list.data?.pages.flatMap((page) => page.records)
  if (list.isError && adverts === undefined)
    return <QueryError error={list.error} retry={() => void list.refetch()} />
  if (adverts === undefined) {
    return (
      <ul aria-hidden="true">
        <AdvertCardSkeleton />
        <AdvertCardSkeleton />
        <AdvertCardSkeleton />
        <AdvertCardSkeleton />
      </ul>
    )
  }
  if (adverts.length === 0) return <NoAdverts hall={hall} />
  return (
    <>
      <StaleNotice query={list} />
      <ul
        aria-label={t`Ads`}
        // The floating order button docks at the right.
        className={`max-sm:pr-2 ${list.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}`}
      >
        {adverts.map((advert) => (
          <AdvertCard key={advert.id} advert={advert} amount={hall.amount} />
        ))}
      </ul>
      <MoreRecords list={list} />
    </>
  )
}

/** Explains an empty list: the filters, the user's own ads, or no ads at all. */
function NoAdverts({ hall }: { hall: HallFilter }) {
  const mine = useQuery({
    queryKey: [...keys.adverts, 'online', hall.base, hall.quote],
    queryFn: () => read(api.GET('/c2c/advert/pageByUser', { params: { query: { page: 1, size: 100 } } })),
    enabled: !isFiltered(hall),
  })
  if (isFiltered(hall)) {
    return (
      <EmptyState
        title={<Trans>No matching ads</Trans>}
        text={<Trans>No one is offering this right now. Try different filters, or post your own ad.</Trans>}
        action={
          <Button tone="plain" onClick={() => filterHall({ ...hall, ...NO_FILTERS })}>
            <Trans>Clear filters</Trans>
          </Button>
        }
      />
    )
  }
  const own = mine.data?.records.some(
    (one) =>
      one.state === 'ONLINE' &&
      one.base === hall.base &&
      one.quote === hall.quote &&
      one.side === (hall.wish === 'BUY' ? 'SELL' : 'BUY'),
  )
  return own === true ? (
    <EmptyState
      title={<Trans>Only your own ads</Trans>}
      text={<Trans>Others can see your ads here, but you can’t order from yourself.</Trans>}
      action={
        <AppLink to="/myAdvert" className={buttonClass('plain', 'normal', false)}>
          <Trans>View my ads</Trans>
        </AppLink>
      }
    />
  ) : (
    <EmptyState
      title={<Trans>No ads yet</Trans>}
      text={<Trans>No one is offering this right now. Post your own ad and let others come to you.</Trans>}
      action={
        <AppLink to="/publish" query={{ side: hall.wish }} className={buttonClass('plain', 'normal', false)}>
          <Trans>Post an ad</Trans>
        </AppLink>
      }
    />
  )
}
