import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { tradedText } from '@/api/nftName'
import { orderById } from '@/api/orderById'
import type { Order } from '@/api/types'
import { StaleNotice } from '@/command/StaleNotice'
import { useErrorText } from '@/command/useErrorText'
import { LazyNftThumb } from '@/components/LazyNft'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Avatar, TraderBadges } from '@/ui/Badge'
import { Button, buttonClass } from '@/ui/Button'
import { Countdown } from '@/ui/Countdown'
import { Gap } from '@/ui/Gap'
import { Skeleton } from '@/ui/Skeleton'
import { orderTask } from './labels'

/** The order of a conversation: with whom, how much, the next step with its deadline, and the one pending action. */
export default function OrderSummary({ orderId }: { orderId: string }) {
  const query = useQuery(orderById(orderId))
  const order = query.data
  if (order === undefined) {
    return query.isError ? (
      <Failed error={query.error} busy={query.isFetching} retry={() => void query.refetch()} />
    ) : (
      <Skeleton className="h-25 w-full" />
    )
  }
  return (
    <>
      <div className="px-4">
        <StaleNotice query={query} />
      </div>
      <Summary order={order} />
    </>
  )
}

/** The error state. It is small, because the conversation below it may be there. */
function Failed({ error, busy, retry }: { error: unknown; busy: boolean; retry: () => void }) {
  const why = useErrorText(error)
  return (
    <section
      role="alert"
      className="flex flex-wrap items-center justify-between gap-x-3 border-line border-b bg-surface px-4 py-2.5"
    >
      <p className="min-w-0 flex-1 basis-52 text-sm">
        <Trans>Couldn’t load the order.</Trans>
        <Gap />
        {why}
      </p>
      <Button tone="plain" size="small" busy={busy} onClick={retry}>
        <Trans>Try again</Trans>
      </Button>
    </section>
  )
}

function Summary({ order }: { order: Order }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const money = useMoney()
  const task = orderTask(order)
  const clock = order.overdue ? order.graceUntil : order.deadline
  const nft = order.nft
  const what = tradedText(amount, order, order.quantity)
  const total = `${money(order.total, order.quote)} ${order.quote}`
  const { nickname, certified, verified, fast } = order.counterparty
  return (
    <section className="border-line border-b bg-surface px-4 max-2xs:py-1.5 py-2.5">
      <div className="flex max-2xs:flex-wrap items-center gap-x-3 gap-y-1">
        <span className="max-2xs:hidden">
          <Avatar name={nickname} size={36} />
        </span>
        <div className="min-w-0 max-2xs:basis-full flex-1">
          <h2 className="flex flex-wrap items-center gap-x-1.5 font-semibold leading-tight">
            <span className="min-w-0 [overflow-wrap:anywhere]">{nickname}</span>
            <span className="max-2xs:hidden">
              <TraderBadges certified={certified} verified={verified} fast={fast} />
            </span>
          </h2>
          <p className="max-2xs:hidden flex items-center gap-2 text-muted text-sm">
            {nft === null ? null : <LazyNftThumb nft={nft} />}
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {order.role === 'BUYER' ? (
                <Trans>
                  Buy {what} for {total}
                </Trans>
              ) : (
                <Trans>
                  Sell {what} for {total}
                </Trans>
              )}
            </span>
          </p>
        </div>
        <AppLink
          to="/orderDetail"
          query={{ id: order.id }}
          className={
            order.myTurn
              ? buttonClass('brand', 'small', false)
              : 'inline-flex min-h-11 shrink-0 items-center gap-0.5 font-medium text-brand text-sm'
          }
        >
          <PendingAction order={order} />
          {order.myTurn ? null : <ChevronRight size={16} aria-hidden="true" />}
        </AppLink>
      </div>
      <p className="max-2xs:mt-0 mt-1 text-sm">
        {t(order.overdue && task.late !== undefined ? task.late : task.text)}{' '}
        {clock === null || task.clock === false ? null : (
          <Countdown deadline={clock} className="font-semibold" ended={null} />
        )}
      </p>
    </section>
  )
}

/** The name of what the user has to do next, on the order's page. */
function PendingAction({ order }: { order: Order }) {
  const can = (name: Order['actions'][number]['action']) =>
    order.myTurn && order.actions.some(({ action }) => action === name)
  if (can('confirm')) return <Trans>Payment received</Trans>
  if (can('pay')) return <Trans>I have paid</Trans>
  if (can('accept')) return <Trans>Accept order</Trans>
  if (can('checkDeposit')) return <Trans>I have sent it</Trans>
  return <Trans>View order</Trans>
}
