import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleX } from 'lucide-react'
import type { Order } from '@/api/types'
import { Countdown } from '@/ui/Countdown'
import { ChatLink } from './ChatLink'
import { CoinLocation } from './CoinLocation'
import { endLabel, orderTask, waitsAfterPaying } from './labels'
import { OrderNotices } from './OrderNotices'
import { OrderStep } from './OrderProgress'

/** The next step with its deadline, the location of the coins, and the progress. */
export function OrderHeader({ order }: { order: Order }) {
  const { t } = useLingui()
  const task = orderTask(order)
  const ended = endLabel(order)
  const sentence = order.overdue && task.late !== undefined ? task.late : task.text
  const runs = !order.overdue && task.clock !== false
  return (
    <>
      <div>
        <div className="flex items-start justify-between gap-3">
          <h2 className="min-w-0 font-bold text-[1.65rem] leading-tight tracking-tight">
            {order.state === 'COMPLETED' ? (
              <CircleCheck className="mr-2 inline text-brand" size={26} aria-hidden="true" />
            ) : null}
            {order.state === 'CANCELLED' || order.state === 'REJECTED' ? (
              <CircleX className="mr-2 inline text-muted" size={26} aria-hidden="true" />
            ) : null}
            {t(sentence)}
            {order.deadline === null || !runs ? null : (
              <>
                {' '}
                <Countdown
                  deadline={order.deadline}
                  className="whitespace-nowrap"
                  ended={
                    <span className="text-warn">
                      <Trans>time’s up</Trans>
                    </span>
                  }
                />
              </>
            )}
          </h2>
          {/* Among the first actions, if the buyer has paid. */}
          {waitsAfterPaying(order) ? null : <ChatLink order={order} className="lg:hidden" />}
        </div>
        {ended === null ? null : <p className="mt-1 text-muted">{t(ended)}</p>}
        {order.rejection === null ? null : (
          <p className="mt-1 text-muted [overflow-wrap:anywhere]">
            <Trans>Reason: “{order.rejection}”</Trans>
          </p>
        )}
        {order.overdue && order.graceUntil !== null ? (
          <p className="mt-1 text-warn">
            <Grace order={order} until={order.graceUntil} />
          </p>
        ) : null}
        <CoinLocation order={order} />
      </div>
      <OrderNotices order={order} />
      <OrderStep order={order} />
    </>
  )
}

/** The grace period, and the party that must act in it. */
function Grace({ order, until }: { order: Order; until: string }) {
  const buying = order.role === 'BUYER'
  if (order.state === 'AWAITING_DEPOSIT') {
    return buying ? (
      <Trans>
        The seller has <Countdown deadline={until} /> left to deposit. After that, the order is cancelled.
      </Trans>
    ) : (
      <Trans>
        You have <Countdown deadline={until} /> left to deposit. After that, the order is cancelled.
      </Trans>
    )
  }
  return buying ? (
    <Trans>
      You have <Countdown deadline={until} /> left to pay. After that, the order is cancelled.
    </Trans>
  ) : (
    <Trans>
      The buyer has <Countdown deadline={until} /> left to pay. After that, the order is cancelled.
    </Trans>
  )
}
