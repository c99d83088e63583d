import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { type ComponentProps, useLayoutEffect, useState } from 'react'
import { api, read } from '@/api/client'
import { keys, nextPage, pollFirstPage } from '@/api/queries'
import { LoadFailed } from '@/command/LoadFailed'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { lazyNft } from '@/components/LazyNft'
import { MoreRecords } from '@/components/MoreRecords'
import { useCoins } from '@/components/useCoins'
import { loadCatalog } from '@/i18n/catalogs'
import { useCurrentHref } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { Segments } from '@/ui/Chip'
import { loadable } from '@/ui/loadable'
import { Skeleton } from '@/ui/Skeleton'
import { DESKTOP, useMedia } from '@/ui/useMedia'
import { AdvertCard, AdvertCardSkeleton } from './AdvertCard'
import type Table from './AdvertTable'
import { FilterRow } from './FilterRow'
import {
  filterHall,
  followAddress,
  type HallFilter,
  hallQuery,
  NO_FILTERS,
  START,
  settled,
  useHall,
} from './hallState'
import { Market } from './Market'
import type { HallTrade as Trade } from './matching/HallTrade'
import type Empty from './NoAdverts'
import type { NftGrid as Grid, NftHall as Hall } from './nfts'

/** Fills the rows of the list, and those of the grid of NFTs, which may have one, two or four columns. */
const SIZE = 24

/** Higher than the screen, so that the end of the list, which loads more, is not in view. */
const PENDING = <span aria-hidden="true" className="block min-h-[200dvh]" />

// What the hall shows of NFTs is fetched when it is first shown, because most visitors look at coins.
const NftHall = lazyNft(
  async () => {
    const [{ NftHall }] = await Promise.all([
      import('./nfts'),
      loadCatalog('nftHall'),
      loadCatalog('filters'),
    ])
    return { default: NftHall }
  },
  (_: ComponentProps<typeof Hall>, retry) => <LoadFailed retry={retry} />,
  PENDING,
)
const NftGrid = lazyNft(
  async () => ({ default: (await import('./nfts')).NftGrid }),
  (_: ComponentProps<typeof Grid>, retry) => <LoadFailed retry={retry} />,
  PENDING,
)

const NoAdverts = loadable<ComponentProps<typeof Empty>>(
  () => import('./NoAdverts'),
  (_, retry) => <LoadFailed retry={retry} />,
)

/** As high as the fields on a desktop, which are always shown there, so that the list below does not move. */
const TRADE_PENDING = <Skeleton className="mb-3 h-56 w-full rounded-3xl" />

/** Fetched by phones when it is opened. */
const HallTrade = loadable<ComponentProps<typeof Trade>>(
  async () => {
    // One file with the screens that share most of its parts.
    const [{ HallTrade }] = await Promise.all([
      import('./FiltersPage'),
      loadCatalog('filters'),
      loadCatalog('trading'),
    ])
    return { default: HallTrade }
  },
  (_, retry) => <LoadFailed retry={retry} />,
  TRADE_PENDING,
)

const loadTable = () => import('./AdvertTable')
// Not fetched by phones, and on a desktop together with the hall.
if (DESKTOP.matches) loadTable().catch(() => null)
const AdvertTable = loadable<ComponentProps<typeof Table>>(
  loadTable,
  (_, retry) => <LoadFailed retry={retry} />,
  <TablePending />,
)

function TablePending() {
  return (
    // As high as `PENDING`, for the same reason.
    <div aria-hidden="true" className="min-h-[200dvh] pt-9">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((key) => (
        <div key={key} className="flex h-16 items-center border-line border-b">
          <Skeleton className="h-5 w-full" />
        </div>
      ))}
    </div>
  )
}

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
  const nfts = hall.wish === 'NFT'
  const list = useHallList(hall)
  // Fields that disappear send what was typed last, and must not bring back the filters with which they were rendered.
  const change = (some: Partial<HallFilter>) => filterHall({ ...settled(useHall.getState(), pairs), ...some })
  // What was shown of coins while NFTs are shown, and the other way round.
  const [left, setLeft] = useState<HallFilter>(START)
  const choose = (wish: HallFilter['wish']) => {
    if ((wish === 'NFT') === nfts) return filterHall({ ...hall, wish })
    setLeft(hall)
    filterHall(settled({ ...((left.wish === 'NFT') === nfts ? START : left), wish }, pairs))
  }
  return (
    <>
      <Segments<HallFilter['wish']>
        name="wish"
        label={t`What do you want to do?`}
        value={hall.wish}
        onChange={choose}
        tone={{ BUY: 'text-brand', SELL: 'text-sell' }}
        options={[
          { value: 'BUY', label: t`Buy` },
          { value: 'SELL', label: t`Sell` },
          ...(pairs.some((one) => one.album !== null) ? [{ value: 'NFT' as const, label: t`NFTs` }] : []),
        ]}
      />
      {nfts ? (
        <NftHall
          hall={hall}
          total={list.data?.pages[0]?.total}
          old={list.isPlaceholderData}
          onChange={change}
        >
          <Adverts hall={hall} list={list} />
        </NftHall>
      ) : (
        <div className="xl:grid xl:grid-cols-[12rem_minmax(0,1fr)] xl:gap-6">
          <FilterRow hall={hall} onChange={change} />
          <div className="min-w-0">
            <Market base={hall.base} quote={hall.quote} />
            <QuickTrade hall={hall} />
            <Adverts hall={hall} list={list} />
          </div>
        </div>
      )}
    </>
  )
}

/** On a desktop always in view; on a phone, a button opens it in place, with what the hall is filtered by. */
function QuickTrade({ hall }: { hall: HallFilter }) {
  const desk = useMedia(DESKTOP)
  const [open, setOpen] = useState(false)
  return (
    <>
      {desk ? null : (
        <Button
          tone="quiet"
          size="small"
          className="-ml-4"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Zap size={18} aria-hidden="true" />
          <Trans>Quick trade</Trans>
        </Button>
      )}
      {!desk && !open ? null : hall.base === '' ? (
        TRADE_PENDING
      ) : (
        <HallTrade key={`${hall.base}/${hall.quote}`} hall={hall} start={desk ? NO_FILTERS : hall} />
      )}
    </>
  )
}

/** The ads that match the filters, page by page. */
function useHallList(hall: HallFilter) {
  return useInfiniteQuery({
    queryKey: [...keys.hall, hall],
    queryFn: ({ pageParam }) =>
      read(api.GET('/c2c/advert/page', { params: { query: hallQuery(hall, pageParam, SIZE) } })),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
    refetchInterval: pollFirstPage(10_000),
    enabled: hall.quote !== '',
  })
}

function Adverts({ hall, list }: { hall: HallFilter; list: ReturnType<typeof useHallList> }) {
  const { t } = useLingui()
  const nfts = hall.wish === 'NFT'
  const desk = useMedia(DESKTOP)
  const adverts = list.data?.pages.flatMap((page) => page.records)
  if (list.isError && adverts === undefined)
    return <QueryError error={list.error} retry={() => void list.refetch()} />
  if (adverts === undefined) {
    if (nfts) return <NftGrid adverts={undefined} old={false} />
    if (desk) return <TablePending />
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
      {nfts ? (
        <NftGrid adverts={adverts} old={list.isPlaceholderData} />
      ) : desk ? (
        <AdvertTable hall={hall} adverts={adverts} old={list.isPlaceholderData} />
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
