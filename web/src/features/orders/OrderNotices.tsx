import { Trans } from '@lingui/react/macro'
import { Clock, Handshake, Snowflake } from 'lucide-react'
import type { Order } from '@/api/types'
import { AppLink } from '@/navigation/navigation'
import { Notice } from '@/ui/Card'

/** Unusual conditions of an order, and their meaning for the user. */
export function OrderNotices({ order }: { order: Order }) {
  return (
    <>
      {order.overlay === 'FROZEN' ? (
        <Notice tone="danger" icon={<Snowflake size={18} aria-hidden="true" />}>
          <Frozen order={order} />
        </Notice>
      ) : null}
      {order.state === 'AWAITING_CONFIRMATION' && order.overdue && order.overlay === null ? (
        <Notice tone="warn" icon={<Clock size={18} aria-hidden="true" />}>
          <LateConfirmation role={order.role} />
        </Notice>
      ) : null}
      {order.cancelAskedBy === 'SELLER' ? (
        <Notice tone="warn" icon={<Handshake size={18} aria-hidden="true" />}>
          {order.role === 'SELLER' ? (
            <Trans>You’ve asked the buyer to cancel. The order continues until the buyer agrees.</Trans>
          ) : (
            <Trans>
              The seller has asked you to cancel this order. If you’ve paid, don’t agree: tap “I have paid”
              instead.
            </Trans>
          )}
        </Notice>
      ) : null}
    </>
  )
}

/** Tells each party how to behave until the deposit returns. */
function Frozen({ order }: { order: Order }) {
  return (
    <div className="flex flex-col gap-2">
      {order.role === 'SELLER' ? (
        <>
          <p>
            <Trans>
              Your deposit was reversed on-chain. It’s usually restored automatically. If your wallet shows
              that it wasn’t sent, send the same amount to your escrow address again.
            </Trans>
          </p>
          <AppLink to="/personalCenter" className="inline-flex min-h-11 items-center font-semibold underline">
            <Trans>View my addresses</Trans>
          </AppLink>
        </>
      ) : (
        <p>
          <Trans>
            The seller’s deposit was reversed on-chain. Don’t pay until it’s restored. If you’ve already paid,
            tap “I have paid”.
          </Trans>
        </p>
      )}
      <p>
        <Trans>Once the deposit is restored, the order resumes automatically with its remaining time.</Trans>
      </p>
    </div>
  )
}

/** Explains that a late confirmation cancels nothing, because the buyer may have paid. */
function LateConfirmation({ role }: { role: Order['role'] }) {
  return role === 'BUYER' ? (
    <Trans>
      The seller hasn’t confirmed in time. The coins stay in escrow: this order won’t be cancelled
      automatically, and the seller can’t cancel it. If you’ve paid, please wait: the seller can still
      confirm. Cancel only if you haven’t paid.
    </Trans>
  ) : (
    <Trans>
      You haven’t confirmed in time. The coins stay in escrow: this order won’t be cancelled automatically,
      and you can’t cancel it. Check your account now. Confirm only if the payment has arrived.
    </Trans>
  )
}
