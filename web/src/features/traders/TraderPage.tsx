import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { MessageSquareQuote, UserX } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { keys, nextPage, pollEvery } from '@/api/queries'
import type { TraderPage as TraderData, TraderFeedback } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { FeedbackLine } from '@/components/FeedbackLine'
import { Flag } from '@/components/Flag'
import { MoreRecords } from '@/components/MoreRecords'
import { useFormats } from '@/i18n/format'
import { AppLink, useQueryParam } from '@/navigation/navigation'
import { Avatar, TraderBadges } from '@/ui/Badge'
import { buttonClass } from '@/ui/Button'
import { Card, CardTitle } from '@/ui/Card'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { TraderActions } from './TraderActions'
import { TraderAdvert } from './TraderAdvert'

const POLL_MS = 15_000

/** What everybody may know of another user: statistics, open ads, and what others say after trades. */
export default function TraderPage() {
  const id = useQueryParam('id')
  const trader = useQuery({
    queryKey: [...keys.traders, id],
    queryFn: () => read(api.GET('/user/trader/{id}', { params: { path: { id } } })),
    refetchInterval: pollEvery(POLL_MS),
    enabled: id !== '',
  })
  if (id === '' || (isApiError(trader.error) && ['1001', '400'].includes(trader.error.code))) {
    return (
      <EmptyState
        icon={UserX}
        title={<Trans>This trader doesn’t exist</Trans>}
        text={<Trans>The link may be incomplete.</Trans>}
        action={
          <AppLink to="/" className={buttonClass('plain', 'normal', false)}>
            <Trans>Go to the trading hall</Trans>
          </AppLink>
        }
      />
    )
  }
  if (trader.data === undefined) {
    return trader.isError ? (
      <QueryError error={trader.error} retry={() => void trader.refetch()} />
    ) : (
      <div className="flex flex-col gap-4 pt-2">
        <Skeleton className="h-72 w-full rounded-3xl" />
        <Skeleton className="h-40 w-full rounded-3xl" />
      </div>
    )
  }
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-4 pt-2">
      <StaleNotice query={trader} />
      <About trader={trader.data} />
      <Adverts id={id} />
      <Feedback id={id} />
    </div>
  )
}

function About({ trader }: { trader: TraderData }) {
  const { t } = useLingui()
  const { amount, count, day, percent } = useFormats()
  const { stats, feedback } = trader
  const minutes = (seconds: number | null) =>
    seconds === null ? '–' : t`${count(Math.ceil(seconds / 60))} min`
  const volume = trader.volume30d.map((one) => `${amount(one.amount)} ${one.asset}`).join(' · ')
  const said = feedback.positive + feedback.negative
  return (
    <Card>
      <div className="flex items-center gap-4">
        <Avatar name={trader.nickname} size={56} />
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-x-1.5 font-semibold text-xl">
            <span className="min-w-0 [overflow-wrap:anywhere]">{trader.nickname}</span>
            <Flag code={trader.countryCode} />
            <TraderBadges certified={trader.certified} verified={trader.verified} fast={trader.fast} />
          </h2>
          <p className="text-muted text-sm">
            <Trans>Member since {day(trader.joinedAt)}</Trans>
          </p>
        </div>
      </div>
      {trader.remark === null ? null : <p className="mt-3 [overflow-wrap:anywhere]">{trader.remark}</p>}
      <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(max(5.5rem,30%),1fr))] gap-x-3 gap-y-4">
        <Figure label={t`Orders (30 days)`}>{count(stats.orders30d)}</Figure>
        <Figure label={t`Completion rate`}>
          {stats.completionRate === null ? '–' : percent(stats.completionRate)}
        </Figure>
        <Figure label={t`Positive feedback`}>
          {said === 0 ? '–' : percent((feedback.positive / said).toFixed(4))}
        </Figure>
        <Figure label={t`Avg. release`}>{minutes(stats.averageConfirmSeconds)}</Figure>
        <Figure label={t`Avg. payment`}>{minutes(trader.averagePaymentSeconds)}</Figure>
        <Figure label={t`Orders accepted`}>
          {stats.acceptanceRate === null ? '–' : percent(stats.acceptanceRate)}
        </Figure>
        <Figure label={t`Traded (30 days)`} wide>
          {volume === '' ? '–' : volume}
        </Figure>
      </dl>
      {trader.mine ? null : <TraderActions trader={trader} />}
    </Card>
  )
}

function Figure({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'col-span-full' : ''}>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="font-semibold tabular-nums">{children}</dd>
    </div>
  )
}

function Adverts({ id }: { id: string }) {
  const { t } = useLingui()
  const adverts = useQuery({
    queryKey: [...keys.hall, 'trader', id],
    queryFn: () => read(api.GET('/user/trader/{id}/adverts', { params: { path: { id } } })),
    refetchInterval: pollEvery(POLL_MS),
  })
  return (
    <Card>
      <CardTitle>
        <Trans>Ads</Trans>
      </CardTitle>
      {adverts.data === undefined ? (
        adverts.isError ? (
          <QueryError error={adverts.error} retry={() => void adverts.refetch()} />
        ) : (
          <Skeleton className="h-20 w-full" />
        )
      ) : adverts.data.length === 0 ? (
        <p className="text-muted text-sm">
          <Trans>No ads that you could order from now.</Trans>
        </p>
      ) : (
        <ul aria-label={t`Ads`}>
          {adverts.data.map((advert) => (
            <TraderAdvert key={advert.id} advert={advert} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Feedback({ id }: { id: string }) {
  const { t } = useLingui()
  const list = useInfiniteQuery({
    queryKey: [...keys.traders, id, 'feedback'],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/user/trader/{id}/feedback', {
          params: { path: { id }, query: { page: pageParam, size: 20 } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  })
  const said = list.data?.pages.flatMap((page) => page.records)
  if (said === undefined) {
    return list.isError ? (
      <QueryError error={list.error} retry={() => void list.refetch()} />
    ) : (
      <Skeleton className="h-40 w-full rounded-3xl" />
    )
  }
  if (said.length === 0) {
    return (
      <EmptyState
        icon={MessageSquareQuote}
        title={<Trans>No feedback yet</Trans>}
        text={<Trans>After an order is completed, both traders can say how it went.</Trans>}
      />
    )
  }
  return (
    <>
      <Card>
        <CardTitle>
          <Trans>Feedback</Trans>
        </CardTitle>
        <ul aria-label={t`Feedback`}>
          {said.map((one) => (
            <Said key={`${one.givenAt} ${one.author ?? ''}`} feedback={one} />
          ))}
        </ul>
      </Card>
      <MoreRecords list={list} />
    </>
  )
}

function Said({ feedback }: { feedback: TraderFeedback }) {
  const { time } = useFormats()
  const author = feedback.author === null ? <Trans>A trader</Trans> : feedback.author
  return (
    <li className="border-line border-b last:border-0">
      <FeedbackLine
        feedback={feedback}
        by={
          <>
            {author} · {time(feedback.givenAt)}
          </>
        }
      />
    </li>
  )
}
