import { Trans } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, read } from '@/api/client'
import { currentUser, keys, pollEvery } from '@/api/queries'
import type { MatchedAdvert } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useCoins } from '@/components/useCoins'
import { AppLink, hrefTo } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { buttonClass } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { hallAddress } from '../hallState'
import { BestMatch } from './BestMatch'
import { MatchRow } from './MatchRow'
import { Obstacles } from './Obstacles'
import { matchBody, type Trade, tradeAddress } from './trade'

/** The best ad for a trade, the other ads that can take it, and why the rest cannot. */
export function Matches({ trade }: { trade: Trade }) {
  const { hall } = trade
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery({ ...currentUser(userId), refetchInterval: false })
  const pair = useCoins().pair(hall.base, hall.quote)
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
  const fitting = matches.adverts.filter((one) => one.misfits.length === 0)
  const others = matches.adverts.filter((one) => one.misfits.length > 0)
  const [best, ...more] = fitting
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
      {best === undefined ? (
        <EmptyState
          title={<Trans>No ad takes all of this</Trans>}
          text={
            others.length === 0 ? (
              <Trans>No one is offering this right now. Post your own ad and let others come to you.</Trans>
            ) : (
              <Trans>Below you see why the ads with the best prices don’t fit.</Trans>
            )
          }
          action={
            <AppLink
              to="/"
              query={hallAddress({ ...hall, amount: '' })}
              className={buttonClass('plain', 'normal', false)}
            >
              <Trans>View all ads</Trans>
            </AppLink>
          }
        />
      ) : (
        <BestMatch match={best} />
      )}
      <Rows title={<Trans>These ads fit too</Trans>} rows={more} />
      <Rows title={<Trans>Why other ads don’t fit</Trans>} rows={others} />
    </div>
  )
}

function Rows({ title, rows }: { title: ReactNode; rows: readonly MatchedAdvert[] }) {
  if (rows.length === 0) return null
  return (
    <section>
      <h2 className="font-semibold">{title}</h2>
      <ul className="divide-y divide-line">
        {rows.map((match) => (
          <MatchRow key={match.advert.id} match={match} />
        ))}
      </ul>
    </section>
  )
}
