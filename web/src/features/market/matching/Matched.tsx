import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, read } from '@/api/client'
import { currentUser, keys, pollEvery } from '@/api/queries'
import type { Matches } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useCoins } from '@/components/useCoins'
import { hrefTo } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { Skeleton } from '@/ui/Skeleton'
import { Obstacles } from './Obstacles'
import { matchBody, type Trade, tradeAddress } from './trade'

/** Asks the server which ads can take a trade, says what the user lacks for any of them, and shows the answer. */
export function Matched({ trade, children }: { trade: Trade; children: (matches: Matches) => ReactNode }) {
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery({ ...currentUser(userId), refetchInterval: false })
  const pair = useCoins().pair(trade.hall.base, trade.hall.quote)
  const body = matchBody(trade)
  const found = useQuery({
    queryKey: [...keys.hall, 'match', body],
    queryFn: () => (body === null ? null : read(api.POST('/c2c/advert/match', { body }))),
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery(10_000),
    enabled: body !== null,
  })
  const matches = found.data
  if (matches == null || user.data === undefined) {
    const failed = [found, user].find((query) => query.isError)
    if (failed !== undefined) return <QueryError error={failed.error} retry={() => void failed.refetch()} />
    return <Skeleton className="h-72 w-full rounded-3xl" />
  }
  return (
    <div className={`flex flex-col gap-5 ${found.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}`}>
      <StaleNotice query={found} />
      <Obstacles
        matches={matches}
        trade={trade}
        user={user.data}
        pair={pair}
        next={hrefTo('/adMatching', tradeAddress(trade))}
      />
      {children(matches)}
    </div>
  )
}
