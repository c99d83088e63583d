import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronRight, MessageCircle } from 'lucide-react'
import type { Order } from '@/api/types'
import { LazyNftLine } from '@/components/LazyNft'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { Countdown } from '@/ui/Countdown'
import { stateLabel } from './labels'

/** An order in the list: side, amount, counterparty, and the deadline when it is the user's turn. */
export function OrderRow({ order }: { order: Order }) {
  const { t } = useLingui()
  const { amount, time } = useFormats()
  const money = useMoney()
  const buying = order.role === 'BUYER'
  const state = stateLabel(order)
  const nft = order.nft
  const traded = nft === null ? order.base : 'NFT'
  // After the deadline, count down the grace period.
  const clock = order.overdue ? order.graceUntil : order.deadline
  return (
    <li className="border-line border-b last:border-0">
      <AppLink to="/orderDetail" query={{ id: order.id }} className="flex items-center gap-3 py-4">
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className={`font-semibold ${buying ? 'text-brand' : 'text-sell'}`}>
              {buying ? <Trans>Buy {traded}</Trans> : <Trans>Sell {traded}</Trans>}
            </span>
            <span className="flex flex-wrap items-center gap-2">
              {order.myTurn && clock !== null ? (
                <Countdown deadline={clock} className="font-semibold text-sm" ended={null} />
              ) : null}
              <Pill tone={order.myTurn ? 'warn' : state.tone === 'warn' ? 'neutral' : state.tone}>
                {order.appeal?.evidenceRequests.some((one) => one.answeredAt === null) === true ? (
                  <Trans>Evidence requested</Trans>
                ) : order.overlay === 'UNDER_APPEAL' ? (
                  <Trans>Under appeal: don’t pay</Trans>
                ) : order.overlay === 'FROZEN' ? (
                  <Trans>Frozen: don’t pay</Trans>
                ) : order.overlay === 'PAUSED' ? (
                  <Trans>Paused</Trans>
                ) : order.overdue ? (
                  <Trans>Overdue</Trans>
                ) : (
                  t(state.text)
                )}
              </Pill>
            </span>
          </span>
          <span className="mt-1 flex flex-wrap items-baseline justify-between gap-x-3">
            {nft === null ? (
              <span className="font-semibold text-lg">
                {amount(order.quantity)} {order.base}
              </span>
            ) : (
              <LazyNftLine nft={nft} />
            )}
            <span>
              {money(order.total, order.quote)} {order.quote}
            </span>
          </span>
          <span className="mt-0.5 flex flex-wrap justify-between gap-x-3 text-muted text-sm">
            <span className="flex items-center gap-2">
              {order.counterparty.nickname}
              <News order={order} />
            </span>
            <span>{time(order.createdAt)}</span>
          </span>
        </span>
        <ChevronRight size={18} className="shrink-0 text-muted" aria-hidden="true" />
      </AppLink>
    </li>
  )
}

/** What the user has not seen of an order: unread messages, or a change by someone else. */
function News({ order }: { order: Order }) {
  const { t } = useLingui()
  const count = order.unreadMessages
  if (count > 0) {
    return (
      <span className="inline-flex items-center gap-1 font-semibold text-sell">
        <MessageCircle size={15} aria-hidden="true" />
        <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
        <span className="sr-only">{t`Unread messages: ${count}`}</span>
      </span>
    )
  }
  if (!order.unread) return null
  return (
    <span className="inline-flex items-center">
      <span aria-hidden="true" className="size-2.5 rounded-full bg-sell-fill" />
      <span className="sr-only">
        <Trans>changed</Trans>
      </span>
    </span>
  )
}
