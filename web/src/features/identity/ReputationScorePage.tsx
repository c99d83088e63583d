import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, read } from '@/api/client'
import { currentUser, keys, nextPage, pollEvery, pollFirstPage } from '@/api/queries'
import type { ReputationCause, ReputationChange } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import { useFormats } from '@/i18n/format'
import { useIsAhead } from '@/lib/clock'
import { AppLink } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { Card } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { reputationSetting } from './reputationSetting'

const POLL_MS = 10_000

/** The user's credit score: what it is for, what costs points, and each change. */
export default function ReputationScorePage() {
  const list = useInfiniteQuery({
    queryKey: [...keys.reputation, 'history'],
    queryFn: ({ pageParam }) =>
      read(api.GET('/credit/detail/page', { params: { query: { page: pageParam, size: 20 } } })),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    refetchInterval: pollFirstPage(POLL_MS),
  })
  const changes = list.data?.pages.flatMap((page) => page.records)
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-4 pt-2">
      <Score />
      {changes === undefined ? (
        list.isError ? (
          <QueryError error={list.error} retry={() => void list.refetch()} />
        ) : (
          <Skeleton className="h-72 w-full rounded-3xl" />
        )
      ) : changes.length === 0 ? (
        <EmptyState
          icon={History}
          title={<Trans>No changes yet</Trans>}
          text={<Trans>Each change to your credit score appears here with its reason.</Trans>}
        />
      ) : (
        <>
          <StaleNotice query={list} />
          <Changes changes={changes} />
          <MoreRecords list={list} />
        </>
      )}
    </div>
  )
}

function Score() {
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery(currentUser(userId)).data
  const [setting] = useQuery(reputationSetting).data ?? []
  const next = useQuery({
    queryKey: [...keys.reputation, 'next'],
    queryFn: () => read(api.GET('/c2c/deal/order/cancel/times')),
    refetchInterval: pollEvery(POLL_MS),
  }).data
  if (user === undefined || setting === undefined) return <Skeleton className="h-56 w-full rounded-3xl" />
  const { appealDeduct, deduct, freePerDay, full, neededToPost } = setting
  const low = user.reputation < neededToPost
  return (
    <Card>
      <p className="flex items-baseline gap-2">
        <span className={`font-bold text-5xl tabular-nums ${low ? 'text-sell' : 'text-brand'}`}>
          {user.reputation}
        </span>
        <span className="text-muted">
          <Trans>out of {full}</Trans>
        </span>
      </p>
      <div aria-hidden="true" className="mt-3 h-2 rounded-full bg-sunken">
        <div
          className={`h-2 rounded-full ${low ? 'bg-sell-fill' : 'bg-brand-fill'}`}
          style={{ width: `${(100 * user.reputation) / full}%` }}
        />
      </div>
      <ul className="mt-4 flex list-disc flex-col gap-1.5 pl-5 text-muted text-sm leading-relaxed">
        <li>
          <Trans>You need at least {neededToPost} points to publish ads.</Trans>
        </li>
        <li>
          <Trans>
            A cancellation, or a missed payment or deposit, costs {deduct} points. The first {freePerDay} a
            day (UTC) cost nothing.
          </Trans>
          <Gap />
          {next === undefined ? null : (
            <Plural
              value={next.freeLeft}
              _0="You have none left today."
              one="You have # left today."
              other="You have # left today."
            />
          )}
        </li>
        <li>
          <Trans>A lost appeal costs {appealDeduct} points, a malicious one all of them.</Trans>
        </li>
        <li>
          <Trans>At the start of each month (UTC), points lost earlier are restored.</Trans>
        </li>
      </ul>
    </Card>
  )
}

function Changes({ changes }: { changes: ReputationChange[] }) {
  const { t } = useLingui()
  return (
    <ul aria-label={t`Changes`} className="flex flex-col">
      {changes.map((change) => (
        <Change
          key={`${change.at} ${change.reputation} ${change.cause} ${change.orderId ?? ''}`}
          change={change}
        />
      ))}
    </ul>
  )
}

function Change({ change }: { change: ReputationChange }) {
  const { t } = useLingui()
  const { time } = useFormats()
  const causes: Record<ReputationCause, string> = {
    CANCELLED: t`You cancelled an order`,
    DEPOSIT_OVERDUE: t`You didn’t deposit in time`,
    PAYMENT_OVERDUE: t`You didn’t pay in time`,
    APPEAL_LOST: t`You lost an appeal`,
    APPEAL_MALICIOUS: t`An officer found your appeal malicious`,
    MONTHLY_RESTORATION: t`Points restored for the new month`,
  }
  const sign = change.change > 0 ? `+${change.change}` : `${change.change}`.replace('-', '−')
  return (
    <li className="flex items-start justify-between gap-3 border-line border-b py-3.5 last:border-0">
      <div className="min-w-0">
        <p className="font-medium">{causes[change.cause]}</p>
        <p className="text-muted text-sm">{time(change.at)}</p>
        {change.change === 0 ? (
          <p className="text-muted text-sm">
            <Trans>No points lost</Trans>
          </p>
        ) : null}
        {change.restoredAt === null ? null : <Restored at={change.restoredAt} />}
        {change.orderId === null ? null : (
          <p className="flex flex-wrap gap-x-4 text-sm">
            <Subject to="/orderDetail" id={change.orderId}>
              <Trans>View order</Trans>
            </Subject>
            {change.appealId === null ? null : (
              <Subject to="/appeal" id={change.orderId}>
                <Trans>View appeal</Trans>
              </Subject>
            )}
          </p>
        )}
      </div>
      <div className="shrink-0 text-right">
        <p
          className={`font-semibold tabular-nums ${change.change > 0 ? 'text-brand' : change.change < 0 ? 'text-sell' : 'text-muted'}`}
        >
          {sign}
        </p>
        <p className="text-muted text-sm">
          <Trans>Score {change.reputation}</Trans>
        </p>
      </div>
    </li>
  )
}

function Restored({ at }: { at: string }) {
  const { day } = useFormats()
  const ahead = useIsAhead(at)
  return (
    <p className="text-muted text-sm">
      {ahead ? <Trans>Restored on {day(at)}</Trans> : <Trans>Restored</Trans>}
    </p>
  )
}

function Subject({ to, id, children }: { to: '/orderDetail' | '/appeal'; id: string; children: ReactNode }) {
  return (
    <AppLink
      to={to}
      query={{ id }}
      className="-my-1 inline-flex min-h-11 items-center font-medium text-brand"
    >
      {children}
    </AppLink>
  )
}
