import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Ban, ChevronRight, Star } from 'lucide-react'
import { api, read } from '@/api/client'
import { keys, nextPage } from '@/api/queries'
import type { Trader } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { Flag } from '@/components/Flag'
import { MoreRecords } from '@/components/MoreRecords'
import { AppLink, useQueryParam } from '@/navigation/navigation'
import { Avatar, TraderBadges } from '@/ui/Badge'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'

type List = 'favorites' | 'blocked'

/** The user's favorite traders, or the users whom the user has blocked. */
export default function TraderListPage() {
  const list: List = useQueryParam('list') === 'blocked' ? 'blocked' : 'favorites'
  return (
    <div className="mx-auto w-full max-w-2xl pt-2">
      <nav className="mb-3 flex flex-wrap gap-2">
        <Tab list="favorites" current={list} />
        <Tab list="blocked" current={list} />
      </nav>
      <Traders key={list} list={list} />
    </div>
  )
}

function Tab({ list, current }: { list: List; current: List }) {
  const active = list === current
  return (
    <AppLink
      to="/traders"
      query={{ list }}
      current={active}
      className={`inline-flex min-h-11 items-center rounded-full px-4 font-medium text-sm ${active ? 'bg-raised' : 'text-muted'}`}
    >
      {list === 'favorites' ? <Trans>Favorites</Trans> : <Trans>Blocked</Trans>}
    </AppLink>
  )
}

function Traders({ list }: { list: List }) {
  const { t } = useLingui()
  const query = useInfiniteQuery({
    queryKey: [...keys.traders, list],
    queryFn: ({ pageParam }) => {
      const params = { query: { page: pageParam, size: 20 } }
      return read(
        list === 'favorites'
          ? api.GET('/user/favorite/page', { params })
          : api.GET('/user/block/page', { params }),
      )
    },
    initialPageParam: 1,
    getNextPageParam: nextPage,
  })
  const traders = query.data?.pages.flatMap((page) => page.records)
  if (traders === undefined) {
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Skeleton className="h-40 w-full rounded-3xl" />
    )
  }
  if (traders.length === 0) {
    return list === 'favorites' ? (
      <EmptyState
        icon={Star}
        title={<Trans>No favorites yet</Trans>}
        text={<Trans>Open a trader’s page from an ad or an order, and add them to your favorites.</Trans>}
      />
    ) : (
      <EmptyState
        icon={Ban}
        title={<Trans>No one is blocked</Trans>}
        text={<Trans>You can block a trader on their page.</Trans>}
      />
    )
  }
  return (
    <>
      <StaleNotice query={query} />
      <ul aria-label={list === 'favorites' ? t`Favorites` : t`Blocked`}>
        {traders.map((trader) => (
          <Row key={trader.id} trader={trader} />
        ))}
      </ul>
      <MoreRecords list={query} />
    </>
  )
}

function Row({ trader }: { trader: Trader }) {
  return (
    <li className="flex items-center border-line border-b last:border-0">
      <AppLink
        to="/trader"
        query={{ id: trader.id }}
        className="flex min-h-16 min-w-0 flex-1 items-center gap-3 py-2"
      >
        <Avatar name={trader.nickname} />
        <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{trader.nickname}</span>
      </AppLink>
      <Flag code={trader.countryCode} />
      <TraderBadges certified={trader.certified} verified={trader.verified} fast={trader.fast} />
      <ChevronRight size={18} aria-hidden="true" className="ml-2 shrink-0 text-muted" />
    </li>
  )
}
