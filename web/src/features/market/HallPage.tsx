import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useLayoutEffect, useState } from 'react'
import { api, read } from '@/api/client'
import { keys, pollEvery } from '@/api/queries'
import type { Pair } from '@/api/types'
import { LoadFailed } from '@/command/LoadFailed'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import { useCoins } from '@/components/useCoins'
import { loadCatalog } from '@/i18n/catalogs'
import { AppLink, useCurrentHref } from '@/navigation/navigation'
import { Button, buttonClass } from '@/ui/Button'
import { Segments } from '@/ui/Chip'
import { loadable } from '@/ui/loadable'
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
  START,
  settled,
  useHall,
} from './hallState'
import { Market } from './Market'
import type { NftFilters as Filters, NftGrid as Grid } from './nfts'

/** Fills the rows of the list, and those of the grid of NFTs, which may have two, four or six columns. */
const SIZE = 24

// NFTs and their filters are fetched when they are first shown, because most visitors look at coins.
const NftGrid = loadable<ComponentProps<typeof Grid>>(
  async () => {
    const catalog = loadCatalog('nft')
    const { NftGrid } = await import('./nfts')
    await catalog
    return { default: NftGrid }
  },
  (_, retry) => <LoadFailed retry={retry} />,
  // Higher than the screen, so that the end of the list, which loads more, is not in view.
  <span aria-hidden="true" className="block h-[200dvh]" />,
)
const NftFilters = loadable<ComponentProps<typeof Filters>>(
  async () => {
    const catalog = loadCatalog('nft')
    const { NftFilters } = await import('./nfts')
    await catalog
    return { default: NftFilters }
  },
  () => null,
  <span aria-hidden="true" className="block h-39" />,
)

export default function HallPage() {
  const { t } = useLingui()
  const address = useCurrentHref()
  // The page stays mounted behind other screens, whose addresses are not its own.
  const shown = /^\/(\?|$)/.test(address)
  useLayoutEffect(() => {
    if (shown) followAddress(address)
  }, [shown, address])
  const { pairs } = useCoins()
  const hall = settled(useHall(), pairs)
  const inSection = (nfts: boolean) => pairs.find((one) => (one.album !== null) === nfts)
  const nfts = isAboutNfts(hall, pairs)
  // What was shown of coins while NFTs are shown, and the other way round.
  const [left, setLeft] = useState<HallFilter | null>(null)
  const choose = (section: HallFilter['wish'] | 'NFT') => {
    const asked = section === 'NFT'
    const wish = asked ? 'BUY' : section
    if (asked === nfts) return filterHall({ ...hall, wish })
    setLeft(hall)
    const before = left !== null && isAboutNfts(left, pairs) === asked ? left : null
    const { base = '', quote = '' } = before ?? inSection(asked) ?? {}
    filterHall({ ...(before ?? START), base, quote, wish })
  }
  return (
    <>
      <Segments<HallFilter['wish'] | 'NFT'>
        name="wish"
        label={t`What do you want to do?`}
        value={nfts ? 'NFT' : hall.wish}
        onChange={choose}
        tone={{ BUY: 'text-brand', SELL: 'text-sell' }}
        options={[
          { value: 'BUY', label: t`Buy` },
          { value: 'SELL', label: t`Sell` },
          ...(inSection(true) === undefined ? [] : [{ value: 'NFT' as const, label: t`NFTs` }]),
        ]}
      />
      {nfts ? (
        <NftFilters hall={hall} onChange={(some) => filterHall({ ...hall, ...some })} />
      ) : (
        <>
          <FilterRow hall={hall} />
          <Market base={hall.base} quote={hall.quote} />
        </>
      )}
      <Adverts hall={hall} nfts={nfts} />
    </>
  )
}

/** Returns whether the filters are about the NFTs of an album. */
function isAboutNfts(hall: HallFilter, pairs: readonly Pair[]): boolean {
  return pairs.some((one) => one.base === hall.base && one.album !== null)
}

function Adverts({ hall, nfts }: { hall: HallFilter; nfts: boolean }) {
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
    if (nfts) return <NftGrid adverts={undefined} old={false} />
    return (
      <ul aria-hidden="true">
        <AdvertCardSkeleton />
        <AdvertCardSkeleton />
        <AdvertCardSkeleton />
        <AdvertCardSkeleton />
      </ul>
    )
  }
  if (adverts.length === 0) return <NoAdverts hall={hall} nfts={nfts} />
  return (
    <>
      <StaleNotice query={list} />
      {nfts ? (
        <NftGrid adverts={adverts} old={list.isPlaceholderData} />
      ) : (
        <ul
          aria-label={t`Ads`}
          // The floating order button docks at the right.
          className={`max-sm:pr-2 ${list.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}`}
        >
          {adverts.map((advert) => (
            <AdvertCard key={advert.id} advert={advert} amount={hall.amount} />
          ))}
        </ul>
      )}
      <MoreRecords list={list} />
    </>
  )
}

/** Explains an empty list: the filters, the user's own ads, or no ads at all. */
function NoAdverts({ hall, nfts }: { hall: HallFilter; nfts: boolean }) {
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
        <AppLink
          to="/publish"
          query={{ side: nfts ? 'SELL' : hall.wish }}
          className={buttonClass('plain', 'normal', false)}
        >
          <Trans>Post an ad</Trans>
        </AppLink>
      }
    />
  )
}
