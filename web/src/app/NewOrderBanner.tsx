import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQueries } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useEffect } from 'react'
import { api, read } from '@/api/client'
import { every, keys } from '@/api/queries'
import type { Order } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { useGo } from '@/navigation/navigation'
import type { Place } from '@/navigation/place'
import { Button } from '@/ui/Button'
import { Countdown } from '@/ui/Countdown'
import { dismissAnnounced, useAnnounced } from './useLiveSession'

/** Whether an order waits for its reader to accept it. */
export function awaitsMe(order: Pick<Order, 'state' | 'advertiser'>): boolean {
  return order.state === 'AWAITING_ACCEPTANCE' && order.advertiser
}

/** The most urgent first. */
export function byDeadline(orders: readonly Order[]): Order[] {
  return orders.toSorted((a, b) => (a.deadline ?? '').localeCompare(b.deadline ?? ''))
}

/**
 * Somebody ordered against one of my ads: the clock of acceptance is running. It stays until the order was opened or waits
 * no more, whoever saw to that and wherever. It takes its own room above the page, whose title it never covers.
 */
export function NewOrderBanner({ place }: { place: Place }) {
  const announced = useAnnounced()
  const opened = place.pathname === '/orderDetail' ? (new URLSearchParams(place.search).get('id') ?? '') : ''
  const orders = useQueries({
    queries: announced.map((id) => ({
      queryKey: [...keys.orders, 'one', id],
      queryFn: () => read(api.GET('/c2c/deal/order/{id}', { params: { path: { id } } })),
      refetchInterval: every(8_000),
    })),
  })
  const known = orders.flatMap((query) => (query.data === undefined ? [] : [query.data]))
  const waiting = byDeadline(known.filter((order) => awaitsMe(order) && order.id !== opened))
  const seen = known.filter((order) => !awaitsMe(order)).map((order) => order.id)
  const done = [...seen, ...announced.filter((id) => id === opened)].join(' ')
  useEffect(() => {
    for (const id of done.split(' ')) if (id !== '') dismissAnnounced(id)
  }, [done])
  const [order] = waiting
  return (
    <div role="alert" className={order === undefined ? '' : 'column sticky top-14 z-20 px-3 pb-2'}>
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
          {amount(order.quantity)} {order.base} · {order.counterparty.nickname}
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
          onClick={() => dismissAnnounced(order.id)}
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
