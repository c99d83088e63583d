import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQueries } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useEffect } from 'react'
import { tradedText } from '@/api/nftName'
import { orderById } from '@/api/orderById'
import type { Order } from '@/api/types'
import { useFormats } from '@/i18n/format'
import type { AppLocation } from '@/navigation/location'
import { useGo } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { Countdown } from '@/ui/Countdown'
import { dismissAnnouncedOrder, useAnnouncedOrders } from './live'

/** Returns whether the order waits for this user to accept it. */
export function awaitsMyAcceptance(order: Pick<Order, 'state' | 'advertiser'>): boolean {
  return order.state === 'AWAITING_ACCEPTANCE' && order.advertiser
}

/** Sorts orders by deadline, the most urgent first. */
export function sortByDeadline(orders: readonly Order[]): Order[] {
  return orders.toSorted((a, b) => (a.deadline ?? '').localeCompare(b.deadline ?? ''))
}

/**
 * Tells an advertiser to accept an order. The banner stays until the order has been opened or no longer waits, in any
 * tab. It has its own space above the page, so it never covers the title.
 */
export default function NewOrderBanner({ location }: { location: AppLocation }) {
  const announced = useAnnouncedOrders()
  const opened =
    location.pathname === '/orderDetail' ? (new URLSearchParams(location.search).get('id') ?? '') : ''
  const orders = useQueries({ queries: announced.map(orderById) })
  const known = orders.flatMap((query) => (query.data === undefined ? [] : [query.data]))
  const waiting = sortByDeadline(known.filter((order) => awaitsMyAcceptance(order) && order.id !== opened))
  const seen = known.filter((order) => !awaitsMyAcceptance(order)).map((order) => order.id)
  const done = [...seen, ...announced.filter((id) => id === opened)].join(' ')
  useEffect(() => {
    for (const id of done.split(' ')) if (id !== '') dismissAnnouncedOrder(id)
  }, [done])
  const [order] = waiting
  return (
    <div
      role="alert"
      className={order === undefined ? '' : 'column sticky top-14 short:top-0 z-20 px-3 pb-2'}
    >
      {order === undefined ? null : <Announcement order={order} others={waiting.length - 1} />}
    </div>
  )
}

function Announcement({ order, others }: { order: Order; others: number }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const go = useGo()
  return (
    <div className="flex animate-rise flex-wrap items-center gap-x-3 gap-y-2 rounded-2xl border border-line bg-raised p-3 shadow-lg">
      <span className="grid size-11 shrink-0 place-items-center rounded-2xl bg-warn-soft text-warn">
        <BellRing size={22} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-[1_1_10rem]">
        <p className="font-semibold leading-snug">
          <Trans>You have a new order</Trans>
          {order.deadline === null ? null : (
            <>
              {' '}
              <Countdown deadline={order.deadline} className="font-normal" />
            </>
          )}
        </p>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          {tradedText(amount, order, order.quantity)} · {order.counterparty.nickname}
          {others === 0 ? null : (
            <>
              {' · '}
              <Plural value={others} one="# more waiting" other="# more waiting" />
            </>
          )}
        </p>
      </div>
      <div className="ml-auto flex gap-2">
        <Button
          tone="plain"
          size="small"
          onClick={() => dismissAnnouncedOrder(order.id)}
          aria-label={t`Dismiss this notice`}
        >
          <Trans>Later</Trans>
        </Button>
        <Button size="small" onClick={() => go.to('/orderDetail', { id: order.id })}>
          <Trans>Open</Trans>
        </Button>
      </div>
    </div>
  )
}
