import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { tradedText } from '@/api/nftName'
import type { Advert, Order } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { creatingPath } from '@/components/advertEscrow'
import { CancelSheet } from '@/components/ending/CancelSheet'
import { EndAdvertSheet } from '@/components/ending/EndAdvertSheet'
import { WithdrawCondition } from '@/components/ending/WithdrawCondition'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink, type AppPath, type Query } from '@/navigation/navigation'
import { Button, buttonClass } from '@/ui/Button'
import { Card, CardTitle } from '@/ui/Card'
import { Skeleton } from '@/ui/Skeleton'
import { openTrades } from './openTrades'

/** The ads and orders that must end before a withdrawal, each with a way to end it, and other uses of the balance. */
export function Obstacles() {
  const list = useQuery(openTrades)
  const data = list.data
  return (
    <Card>
      <CardTitle>
        <Trans>Before you can withdraw</Trans>
      </CardTitle>
      <p className="text-muted text-sm leading-relaxed">
        <WithdrawCondition linked={false} />
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <AppLink to="/publish" className={buttonClass('plain', 'small', false)}>
          <Trans>Use it for an ad</Trans>
        </AppLink>
        <AppLink to="/" className={buttonClass('plain', 'small', false)}>
          <Trans>Use it for an order</Trans>
        </AppLink>
      </div>
      {data === undefined ? (
        list.isError ? (
          <QueryError error={list.error} retry={() => void list.refetch()} />
        ) : (
          <Skeleton className="mt-3 h-24 w-full rounded-2xl" />
        )
      ) : data.adverts.length + data.orders.length === 0 ? (
        <p className="mt-3">
          <Trans>All your ads have ended, and all your orders are finished.</Trans>
        </p>
      ) : (
        <>
          <StaleNotice query={list} />
          <List adverts={data.adverts} orders={data.orders} />
        </>
      )}
    </Card>
  )
}

function List({ adverts, orders }: { adverts: readonly Advert[]; orders: readonly Order[] }) {
  const { t } = useLingui()
  return (
    <ul aria-label={t`What stands in the way of a withdrawal`} className="mt-2">
      {orders.map((order) => (
        <OrderItem key={order.id} order={order} />
      ))}
      {adverts.map((advert) => (
        <AdvertItem key={advert.id} advert={advert} />
      ))}
    </ul>
  )
}

/** A link to an order or an ad, what else to know about it, and what can be done. */
function Item({
  to,
  query,
  title,
  below,
  children,
}: {
  to: AppPath
  query: Query
  title: ReactNode
  below: ReactNode
  children: ReactNode
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-line border-b py-3 last:border-0">
      <span className="min-w-0 flex-[1_1_11rem]">
        <AppLink
          to={to}
          query={query}
          className="font-medium underline underline-offset-4 [overflow-wrap:anywhere]"
        >
          {title}
        </AppLink>
        <span className="block text-muted text-sm">{below}</span>
      </span>
      {children}
    </li>
  )
}

function OrderItem({ order }: { order: Order }) {
  const { amount } = useFormats()
  const money = useMoney()
  const [open, setOpen] = useState(false)
  const action = order.actions.find((one) => one.action === 'cancel' || one.action === 'reject')
  // The sheet must not open by itself when the action is offered again.
  if (open && action === undefined) setOpen(false)
  const what = tradedText(amount, order, order.quantity)
  const total = `${money(order.total, order.quote)} ${order.quote}`
  return (
    <Item
      to="/orderDetail"
      query={{ id: order.id }}
      title={
        order.role === 'BUYER' ? (
          <Trans>
            Order: buy {what} for {total}
          </Trans>
        ) : (
          <Trans>
            Order: sell {what} for {total}
          </Trans>
        )
      }
      below={order.counterparty.nickname}
    >
      {action === undefined ? (
        <AppLink to="/orderDetail" query={{ id: order.id }} className={buttonClass('plain', 'small', false)}>
          <Trans>Open</Trans>
        </AppLink>
      ) : (
        <Button tone="plain" size="small" onClick={() => setOpen(true)}>
          {action.action === 'reject' ? <Trans>Reject</Trans> : <Trans>Cancel</Trans>}
        </Button>
      )}
      <CancelSheet order={order} action={action} open={open} onClose={() => setOpen(false)} />
    </Item>
  )
}

function AdvertItem({ advert }: { advert: Advert }) {
  const { amount } = useFormats()
  const [open, setOpen] = useState(false)
  const creating = advert.state === 'CREATING'
  const ends = advert.actions.includes('revoke') || advert.actions.includes('cancel')
  if (open && !ends) setOpen(false)
  const price = `${amount(advert.price)} ${advert.quote}`
  const what = tradedText(amount, advert, advert.remaining)
  return (
    <Item
      to={creating ? creatingPath(advert) : '/myAdvert'}
      query={creating ? { id: advert.id } : {}}
      title={
        advert.side === 'SELL' ? (
          <Trans>
            Ad: sell {what} at {price}
          </Trans>
        ) : (
          <Trans>
            Ad: buy {what} at {price}
          </Trans>
        )
      }
      below={
        advert.state === 'REVOKING' ? (
          <Trans>Being revoked</Trans>
        ) : advert.runningOrders > 0 ? (
          <Plural value={advert.runningOrders} one="# active order" other="# active orders" />
        ) : creating ? (
          <Trans>Waits for its deposit</Trans>
        ) : null
      }
    >
      {ends ? (
        <Button tone="plain" size="small" onClick={() => setOpen(true)}>
          {creating ? <Trans>Cancel</Trans> : <Trans>Revoke</Trans>}
        </Button>
      ) : null}
      <EndAdvertSheet advert={advert} open={open} onClose={() => setOpen(false)} />
    </Item>
  )
}
