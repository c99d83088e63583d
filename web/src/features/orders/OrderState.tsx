import { Trans, useLingui } from '@lingui/react/macro'
import { MessageCircle } from 'lucide-react'
import type { Order } from '@/api/types'
import { Pill } from '@/ui/Badge'
import { Countdown } from '@/ui/Countdown'
import { stateLabel } from './labels'

/** The state of an order in a list, and the clock when it is the user's turn. */
export function OrderState({ order }: { order: Order }) {
  const { t } = useLingui()
  const state = stateLabel(order)
  // After the deadline, count down the grace period.
  const clock = order.overdue ? order.graceUntil : order.deadline
  return (
    <>
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
    </>
  )
}

/** What the user has not seen of an order: unread messages, or a change by someone else. */
export function News({ order }: { order: Order }) {
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
