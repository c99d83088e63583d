import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight, Scale } from 'lucide-react'
import { api, read } from '@/api/client'
import { keys, nextPage, pollFirstPage } from '@/api/queries'
import type { AppealCase } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { MoreRecords } from '@/components/MoreRecords'
import { useCoins } from '@/components/useCoins'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Pill, type PillTone } from '@/ui/Badge'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { statusText } from './labels'
import { useReasonNames } from './useReasonNames'

/** The appeals about the user's orders, newest first. */
export default function AppealsPage() {
  const { t } = useLingui()
  const list = useInfiniteQuery({
    // What changes an order also changes its appeals.
    queryKey: [...keys.orders, 'appeals'],
    queryFn: ({ pageParam }) =>
      read(api.GET('/c2c/appeal/page', { params: { query: { page: pageParam, size: 20 } } })),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    refetchInterval: pollFirstPage(10_000),
  })
  const appeals = list.data?.pages.flatMap((page) => page.records)
  if (appeals === undefined) {
    return list.isError ? (
      <QueryError error={list.error} retry={() => void list.refetch()} />
    ) : (
      <div aria-hidden="true" className="flex flex-col gap-6 py-5">
        {[1, 2, 3, 4].map((key) => (
          <Skeleton key={key} className="h-18 w-full rounded-2xl" />
        ))}
      </div>
    )
  }
  if (appeals.length === 0) {
    return (
      <EmptyState
        icon={Scale}
        title={<Trans>No appeals</Trans>}
        text={<Trans>If an order goes wrong, you can appeal on its page. An officer then decides it.</Trans>}
        action={
          <AppLink
            to="/helpDetail"
            query={{ id: 'disputes' }}
            className="inline-flex min-h-11 items-center font-semibold text-brand"
          >
            <Trans>How disputes are resolved</Trans>
          </AppLink>
        }
      />
    )
  }
  return (
    <>
      <StaleNotice query={list} />
      <ul aria-label={t`Appeals`}>
        {appeals.map((one) => (
          <AppealRow key={one.appeal.id} one={one} />
        ))}
      </ul>
      <MoreRecords list={list} />
    </>
  )
}

function toneOf({ appeal, role }: AppealCase): PillTone {
  if (appeal.winner !== null) return appeal.winner === role ? 'good' : 'danger'
  return appeal.status === 'PENDING' ? 'warn' : 'neutral'
}

function AppealRow({ one }: { one: AppealCase }) {
  const { t } = useLingui()
  const { amount, time } = useFormats()
  const money = useMoney()
  const { isAlbum } = useCoins()
  const nameOf = useReasonNames()
  const { appeal, counterparty, orderId, role } = one
  const what = isAlbum(one.base) ? 'NFT' : `${amount(one.quantity)} ${one.base}`
  const total = `${money(one.total, one.quote)} ${one.quote}`
  return (
    <li className="border-line border-b pt-2 last:border-0">
      <AppLink to="/appeal" query={{ id: orderId }} className="flex items-center gap-3 pt-2">
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className="min-w-0 flex-[1_1_10rem] font-semibold">{nameOf(appeal.reason)}</span>
            <Pill tone={toneOf(one)}>{t(statusText(appeal, role))}</Pill>
          </span>
          <span className="mt-1 block">
            {role === 'BUYER' ? (
              <Trans>
                Buy {what} for {total}
              </Trans>
            ) : (
              <Trans>
                Sell {what} for {total}
              </Trans>
            )}
          </span>
          <span className="mt-0.5 flex flex-wrap justify-between gap-x-3 text-muted text-sm">
            <span className="[overflow-wrap:anywhere]">{counterparty}</span>
            <span>{time(appeal.filedAt)}</span>
          </span>
        </span>
        <ChevronRight size={18} className="shrink-0 text-muted" aria-hidden="true" />
      </AppLink>
      <AppLink
        to="/orderDetail"
        query={{ id: orderId }}
        className="inline-flex min-h-11 items-center font-medium text-brand text-sm"
      >
        <Trans>View order</Trans>
      </AppLink>
    </li>
  )
}
