import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import { tradedText } from '@/api/nftName'
import { orderById } from '@/api/orderById'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { LazyNftLine } from '@/components/LazyNft'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink, useQueryParam } from '@/navigation/navigation'
import { Countdown } from '@/ui/Countdown'
import { Gap } from '@/ui/Gap'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { AppealForm } from './AppealForm'
import { AppealStatus } from './AppealStatus'

/** The appeal about an order: its status, or the form to file one. */
export default function AppealPage() {
  const { t } = useLingui()
  const { amount } = useFormats()
  const money = useMoney()
  const id = useQueryParam('id')
  const query = useQuery(orderById(id))
  const [filedHere, setFiledHere] = useState('')
  if (id === '') return <EmptyState title={t`No order selected`} />
  const order = query.data
  if (order === undefined) {
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <div className="flex flex-col gap-4 pt-2">
        <Skeleton className="h-9 w-64" />
        <Skeleton className="h-56 w-full rounded-3xl" />
        <Skeleton className="h-44 w-full rounded-3xl" />
      </div>
    )
  }
  const appeal = order.appeal
  const filed = appeal?.id === filedHere
  const action = order.actions.find((one) => one.action === 'appeal')
  // Without the action, the form shows only what the user has entered, if anything.
  const form =
    action === undefined && filed ? null : (
      <AppealForm key={id} order={order} action={action} onFiled={setFiledHere} />
    )
  const status =
    appeal === null ? null : <AppealStatus key={appeal.id} order={order} appeal={appeal} filed={filed} />
  const nft = order.nft
  const quantity = tradedText(amount, order, order.quantity)
  const total = `${money(order.total, order.quote)} ${order.quote}`
  return (
    <div className="flex flex-col gap-4 pt-2">
      <StaleNotice query={query} />
      <p className="text-muted">
        {order.role === 'BUYER' ? (
          <Trans>
            You buy {quantity} for {total} from {order.counterparty.nickname}.
          </Trans>
        ) : (
          <Trans>
            You sell {quantity} for {total} to {order.counterparty.nickname}.
          </Trans>
        )}
        <Gap />
        <AppLink to="/orderDetail" query={{ id }} className="inline-block font-semibold text-brand">
          <Trans>View order</Trans>
        </AppLink>
      </p>
      {nft === null ? null : <LazyNftLine nft={nft} />}
      {action === undefined && appeal === null ? <NotYet from={order.appealFrom} /> : null}
      {action === undefined ? [form, status] : [status, form]}
      <AppLink
        to="/helpDetail"
        query={{ id: 'disputes' }}
        className="min-h-11 self-center py-2.5 font-semibold text-brand"
      >
        <Trans>How disputes are resolved</Trans>
      </AppLink>
    </div>
  )
}

/** Explains why there is nothing to appeal, and when there may be. */
function NotYet({ from }: { from: string | null }) {
  const { t } = useLingui()
  return (
    <EmptyState
      icon={Scale}
      title={from === null ? t`You can’t appeal this order now` : t`You can’t appeal yet`}
      text={
        from === null ? (
          <Trans>You can appeal when the other party is late, or once an order is marked as paid.</Trans>
        ) : (
          <Trans>
            If the other party doesn’t act, you can appeal in <Countdown deadline={from} ended={null} />.
          </Trans>
        )
      }
    />
  )
}
