import { Trans } from '@lingui/react/macro'
import { Clock, Handshake, Snowflake } from 'lucide-react'
import type { Order } from '@/api/types'
import { AppLink } from '@/navigation/navigation'
import { Notice } from '@/ui/Card'

/** What is out of the ordinary, and what it means for the person who reads it. */
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
            <Trans>You asked the buyer to cancel. Until the buyer agrees, the order goes on.</Trans>
          ) : (
            <Trans>
              The seller asks you to cancel this order. If you have paid, do not agree: say that you have
              paid.
            </Trans>
          )}
        </Notice>
      ) : null}
    </>
  )
}

/** What everybody is to do, or not, until the deposit is there again. */
function Frozen({ order }: { order: Order }) {
  return (
    <div className="flex flex-col gap-2">
      {order.role === 'SELLER' ? (
        <>
          <p>
            <Trans>
              The chain took the deposit back. Mostly it comes again by itself; if your wallet shows that it
              was not sent, send as much again to your escrow address.
            </Trans>
          </p>
          <AppLink to="/personalCenter" className="inline-flex min-h-11 items-center font-semibold underline">
            <Trans>To my addresses</Trans>
          </AppLink>
        </>
      ) : (
        <p>
          <Trans>
            The chain took the deposit back. Do not pay before it has returned; if you have paid already, say
            so.
          </Trans>
        </p>
      )}
      <p>
        <Trans>When it is there, the order goes on by itself, with all the time it had left.</Trans>
      </p>
    </div>
  )
}

/** The one deadline that cancels nothing: the buyer may have paid. */
function LateConfirmation({ role }: { role: Order['role'] }) {
  return role === 'BUYER' ? (
    <Trans>
      The seller is late. The coins stay in escrow: neither the clock nor the seller can cancel this order. If
      you have paid, wait; the seller can still confirm. Cancel only if you have not paid.
    </Trans>
  ) : (
    <Trans>
      You are late. The coins stay in escrow: neither the clock nor you can cancel this order. Look into your
      account now. If the money is there, confirm; if it is not, do not.
    </Trans>
  )
}
