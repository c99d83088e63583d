import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useRef } from 'react'
import { api, completed } from '@/api/client'
import { orderById } from '@/api/orderById'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { usePassReturn } from '@/components/pass/usePassReturn'
import { AppLink, useQueryParam } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { loadable } from '@/ui/loadable'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { ActionsAfterPaying } from './ActionsAfterPaying'
import type Feedback from './FeedbackCard'
import { HoldNotice } from './HoldNotice'
import { waitsAfterPaying } from './labels'
import { OrderActions } from './OrderActions'
import { OrderFacts } from './OrderFacts'
import { OrderHeader } from './OrderHeader'
import { OrderProgress } from './OrderProgress'
import { OrderTotals } from './OrderTotals'
import { PayDeposit } from './PayDeposit'
import { PaymentDetails } from './PaymentDetails'
import { PaymentSeen } from './PaymentSeen'
import { Receipts } from './Receipts'

/** Fetched for completed orders only. */
const FeedbackCard = loadable<ComponentProps<typeof Feedback>>(
  () => import('./FeedbackCard'),
  () => null,
)

export default function OrderDetailPage() {
  return <OrderDetails id={useQueryParam('id')} />
}

/** An order: the next step, its facts and its actions. */
export function OrderDetails({ id }: { id: string }) {
  const { t } = useLingui()
  const [back] = usePassReturn('/orderDetail', { id })
  const query = useQuery(orderById(id))
  const version = query.data?.version
  const receipts = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The user sees the order change, so no change of it is news.
    if (version === undefined) return
    void completed(api.POST('/c2c/deal/order/updateRead', { params: { query: { id } } })).catch(() => null)
  }, [version, id])

  const out = (
    <AppLink to="/order" className={buttonClass('plain', 'normal', false)}>
      <Trans>Your orders</Trans>
    </AppLink>
  )
  if (id === '') return <EmptyState title={t`No order selected`} action={out} />
  const order = query.data
  if (order === undefined) {
    return query.isError ? (
      <>
        <QueryError error={query.error} retry={() => void query.refetch()} />
        <p className="text-center">{out}</p>
      </>
    ) : (
      <div className="flex flex-col gap-4 pt-2">
        <Skeleton className="h-9 w-64" />
        <Skeleton className="h-5 w-52" />
        <Skeleton className="h-56 w-full rounded-3xl" />
        <Skeleton className="h-44 w-full rounded-3xl" />
      </div>
    )
  }
  // Buyers who have paid need the receipt, no longer where to pay.
  const paid = waitsAfterPaying(order)
  return (
    <div className="flex flex-col gap-4 pt-2">
      <StaleNotice query={query} />
      <OrderHeader order={order} />
      <PaymentSeen order={order} />
      {paid ? (
        <div ref={receipts} tabIndex={-1} className="scroll-mt-20 outline-none">
          <Receipts order={order} />
        </div>
      ) : null}
      <PaymentDetails order={order} />
      {paid ? null : <Receipts order={order} />}
      <PayDeposit order={order} />
      {order.state === 'COMPLETED' ? <FeedbackCard order={order} /> : null}
      <OrderProgress order={order} />
      <OrderTotals order={order} />
      <OrderFacts order={order} />
      <HoldNotice order={order} />
      {paid ? (
        <ActionsAfterPaying
          order={order}
          onReceipt={() => {
            receipts.current?.focus({ preventScroll: true })
            receipts.current?.scrollIntoView()
          }}
        />
      ) : (
        <OrderActions order={order} back={back} />
      )}
    </div>
  )
}
