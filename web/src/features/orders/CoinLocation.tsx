import { Trans } from '@lingui/react/macro'
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { movedText } from '@/api/nftName'
import type { Order } from '@/api/types'
import { useTradeTexts } from '@/components/useTradeTexts'
import { useFormats } from '@/i18n/format'
import { Gap } from '@/ui/Gap'
import { fromAdvert, wasReleasedByOfficer } from './labels'
import { UnusedDeposit } from './UnusedDeposit'

/** The location of what the order sells and of what is paid, from the user's point of view. */
export function CoinLocation({ order }: { order: Order }) {
  const { sold, receives, total } = useTradeTexts(order)
  return (
    <div className="mt-2 flex flex-col gap-1.5">
      <p className="flex gap-2 text-muted">
        {missingDeposit(order) !== null ? (
          <ShieldAlert size={19} className="mt-0.5 shrink-0 text-sell" aria-hidden="true" />
        ) : (
          <ShieldCheck size={19} className="mt-0.5 shrink-0 text-brand" aria-hidden="true" />
        )}
        <span>
          <BaseCoins order={order} what={sold} arrived={receives} />
          <Gap />
          <QuoteCoins order={order} what={total} />
        </span>
      </p>
      <UnusedDeposit order={order} />
    </div>
  )
}

/**
 * Returns whose deposit a reorganization removed; `EITHER` if both coins were in escrow, because the order does not say which
 * is missing. It stays frozen until the deposit returns.
 */
export function missingDeposit({ overlay, money, quoteMoney }: Order): Order['role'] | 'EITHER' | null {
  if (overlay !== 'FROZEN') return null
  if (money === 'ESCROW') return quoteMoney === 'ESCROW' ? 'EITHER' : 'SELLER'
  return quoteMoney === 'ESCROW' ? 'BUYER' : null
}

/** Returns the amount that a payout moves: of a refund, what arrives. */
function paidOut({ payouts }: Order, asset: string): string | undefined {
  return payouts.find((payout) => payout.asset === asset)?.amount
}

/** Returns whether no payout is in a block yet. */
function isUnsent({ payouts }: Order): boolean {
  return payouts.every((payout) => payout.hash === null)
}

function BaseCoins({ order, what, arrived }: { order: Order; what: string; arrived: string }): ReactNode {
  const mine = order.role === 'SELLER'
  const over = order.state === 'CANCELLED' || order.state === 'REJECTED'
  switch (order.money) {
    case 'SELLER':
      if (over) return <Trans>{what} was never deposited into escrow for this order.</Trans>
      return mine ? <Trans>You still hold {what}.</Trans> : <Trans>The seller still holds {what}.</Trans>
    case 'ESCROW':
      if (missingDeposit(order) === 'SELLER')
        return <Trans>{what} was in escrow, but the deposit was reversed on-chain.</Trans>
      if (missingDeposit(order) === 'EITHER')
        return <Trans>{what} was in escrow, but one of the deposits was reversed on-chain.</Trans>
      return <Trans>{what} is locked in escrow on-chain.</Trans>
    case 'IN_FLIGHT':
      if (order.state === 'RELEASE_REVOKED')
        return mine ? (
          <Trans>{what} is reserved for the buyer until the transfer is sent again.</Trans>
        ) : (
          <Trans>{what} is reserved for you until the transfer is sent again.</Trans>
        )
      if (order.state === 'RELEASING' && isUnsent(order))
        return mine ? (
          <Trans>{what} is reserved for the buyer and is being sent.</Trans>
        ) : (
          <Trans>{what} is reserved for you and is being sent.</Trans>
        )
      if (order.state === 'REFUNDING')
        return <Refund order={order} asset={order.base} what={what} mine={mine} />
      return <Trans>{what} has left escrow and is being confirmed on-chain.</Trans>
    case 'BUYER':
      return mine ? (
        <Trans>{arrived} has arrived at the buyer’s address.</Trans>
      ) : (
        <Trans>{arrived} has arrived at your address.</Trans>
      )
    case 'RETURNED':
      if (!mine) return <Trans>{what} was returned to the seller. Nothing was released.</Trans>
      return fromAdvert(order) ? (
        <Trans>{what} was returned to your ad. Nothing was released.</Trans>
      ) : (
        <Refunded order={order} asset={order.base} what={what} />
      )
  }
}

/** What a refund returns to the user, and when; or that it returns something to the other party. */
function Refund({
  order,
  asset,
  what,
  mine,
}: {
  order: Order
  asset: string
  what: string
  mine: boolean
}): ReactNode {
  const { amount } = useFormats()
  const out = paidOut(order, asset)
  if (!mine)
    return order.role === 'BUYER' ? (
      <Trans>{what} is being returned to the seller.</Trans>
    ) : (
      <Trans>{what} is being returned to the buyer.</Trans>
    )
  if (out === undefined) return <Trans>{what} is being returned to your bound address.</Trans>
  const arrives = movedText(amount, order, asset, out)
  return (
    <Trans>
      {arrives} is on the way to your bound address. It’s there once the transfer is confirmed on-chain,
      usually within minutes.
    </Trans>
  )
}

/** What a refund has returned to the user. Without a payout, the deposit was too small for one. */
function Refunded({ order, asset, what }: { order: Order; asset: string; what: string }): ReactNode {
  const { amount } = useFormats()
  const out = paidOut(order, asset)
  if (out === undefined)
    return (
      <Trans>
        {what} was returned to your bound address, minus network fees if you caused the cancellation.
      </Trans>
    )
  const arrived = movedText(amount, order, asset, out)
  return <Trans>{arrived} was returned to your bound address.</Trans>
}

/** The location of the quote. In automatic orders it is in escrow too; otherwise it goes from user to user. */
function QuoteCoins({ order, what }: { order: Order; what: string }): ReactNode {
  const buying = order.role === 'BUYER'
  if (order.quoteMoney !== null) return <EscrowedQuote order={order} what={what} />
  if (order.state === 'COMPLETED' && wasReleasedByOfficer(order))
    return <Trans>An officer decided the appeal.</Trans>
  if (order.state === 'COMPLETED')
    return buying ? (
      <Trans>You paid {what} directly to the seller.</Trans>
    ) : (
      <Trans>The buyer paid {what} directly to you.</Trans>
    )
  const maybePaid = order.payment !== null || order.paymentSeen !== null
  if (!maybePaid || (order.state !== 'CANCELLED' && order.state !== 'REFUNDING')) return null
  return buying ? (
    <Trans>Anything you paid went directly to the seller and was never in escrow.</Trans>
  ) : (
    <Trans>If the buyer’s payment reaches you, send it back.</Trans>
  )
}

/** The location of the quote of an automatic order, which the buyer escrowed with the ad or deposits for the order. */
function EscrowedQuote({ order, what }: { order: Order; what: string }): ReactNode {
  const buying = order.role === 'BUYER'
  switch (order.quoteMoney) {
    case 'ESCROW':
      if (missingDeposit(order) === 'BUYER')
        return <Trans>{what} was in escrow, but the deposit was reversed on-chain.</Trans>
      return missingDeposit(order) === 'EITHER' ? null : <Trans>{what} is locked in escrow on-chain.</Trans>
    case 'IN_FLIGHT':
      if (order.state === 'REFUNDING')
        return <Refund order={order} asset={order.quote} what={what} mine={buying} />
      return buying ? (
        <Trans>{what} goes to the seller in the same transaction.</Trans>
      ) : (
        <Trans>{what} goes to you in the same transaction.</Trans>
      )
    case 'SELLER':
      return buying ? (
        <Trans>{what} was sent to the seller’s address.</Trans>
      ) : (
        <Trans>{what} has arrived at your receiving address.</Trans>
      )
    case 'RETURNED':
      if (fromAdvert(order))
        return buying ? (
          <Refunded order={order} asset={order.quote} what={what} />
        ) : (
          <Trans>{what} was returned to the buyer.</Trans>
        )
      return buying ? (
        <Trans>{what} was returned to your ad.</Trans>
      ) : (
        <Trans>{what} was returned to the buyer’s ad.</Trans>
      )
    default:
      return null
  }
}
