import { Trans } from '@lingui/react/macro'
import { Clock, Handshake, PauseCircle, Scale, Snowflake } from 'lucide-react'
import type { Order } from '@/api/types'
import { useTradeTexts } from '@/components/useTradeTexts'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import { missingDeposit } from './CoinLocation'
import { fromAdvert } from './labels'

/** Unusual conditions of an order, and their meaning for the user. */
export function OrderNotices({ order }: { order: Order }) {
  return (
    <>
      {order.overlay === 'FROZEN' ? (
        <Notice tone="danger" icon={<Snowflake size={18} aria-hidden="true" />}>
          <Frozen order={order} />
        </Notice>
      ) : null}
      {order.overlay === 'UNDER_APPEAL' ? (
        <Notice tone="danger" icon={<Scale size={18} aria-hidden="true" />}>
          <UnderAppeal order={order} />
        </Notice>
      ) : null}
      {order.overlay === 'PAUSED' ? (
        <Notice tone="warn" icon={<PauseCircle size={18} aria-hidden="true" />}>
          {mayPay(order) ? (
            <Trans>
              MEC2C is checking where this NFT is. Don’t pay now: it can’t be delivered until that’s clear. If
              you cancel or don’t pay, it doesn’t count against you.
            </Trans>
          ) : (
            <Trans>MEC2C is checking where this NFT is. It can’t be delivered until that’s clear.</Trans>
          )}
        </Notice>
      ) : null}
      {isRestored(order) ? (
        <Notice tone="warn" icon={<Scale size={18} aria-hidden="true" />}>
          <Restored order={order} />
        </Notice>
      ) : null}
      {order.state === 'AWAITING_CONFIRMATION' && order.overdue && order.overlay === null ? (
        <Notice tone="warn" icon={<Clock size={18} aria-hidden="true" />}>
          <LateConfirmation order={order} />
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

/** Returns whether an appeal has ended and the order has continued since. */
function isRestored({ appeal, deadline, overlay }: Order): boolean {
  const ended = appeal?.status === 'WITHDRAWN' || appeal?.status === 'REJECTED'
  return ended && deadline !== null && overlay === null
}

/** Returns whether the user is the buyer and may still be about to pay. */
function mayPay(order: Order): boolean {
  const { role, payment, state, kind } = order
  const escrowed = kind === 'AUTOMATIC' && !fromAdvert(order)
  return role === 'BUYER' && payment === null && !escrowed && state !== 'RELEASING' && state !== 'REFUNDING'
}

/** Returns whether the user is the seller and may still be about to deposit. */
function mayDeposit({ role, state }: Order): boolean {
  return role === 'SELLER' && state === 'AWAITING_DEPOSIT'
}

function UnderAppeal({ order }: { order: Order }) {
  return (
    <div className="flex flex-col">
      <p>
        {order.appeal?.status === 'DECIDED' ? (
          <Trans>An officer has decided the appeal. The decision takes effect soon.</Trans>
        ) : (
          <Trans>This order is locked until the appeal ends.</Trans>
        )}
        {mayPay(order) ? (
          <>
            <Gap />
            <Trans>Don’t pay until then.</Trans>
          </>
        ) : mayDeposit(order) ? (
          <>
            <Gap />
            <Trans>Don’t deposit until then.</Trans>
          </>
        ) : null}
      </p>
      <AskedEvidence order={order} />
      <AppealLink order={order} />
    </div>
  )
}

/** Says that an officer waits for evidence of the user, and until when. */
function AskedEvidence({ order }: { order: Order }) {
  const { time } = useFormats()
  const asked = order.appeal?.evidenceRequests.find((one) => one.answeredAt === null)
  if (asked === undefined) return null
  return (
    <>
      <p className="mt-1 font-semibold">
        <Trans>An officer asks you for evidence by {time(asked.dueAt)}.</Trans>
      </p>
      <AppLink
        to="/appeal"
        query={{ id: order.id }}
        className={`mt-2 self-start ${buttonClass('plain', 'small', false)}`}
      >
        <Trans>Add evidence</Trans>
      </AppLink>
    </>
  )
}

function Restored({ order }: { order: Order }) {
  const { appeal, counterparty, actions } = order
  const byOther = appeal?.status === 'WITHDRAWN' && ![null, order.role].includes(appeal.withdrawnBy)
  const again = byOther && actions.some((one) => one.action === 'appeal')
  return (
    <div className="flex flex-col">
      <p>
        {byOther ? (
          <>
            <Trans>{counterparty.nickname} withdrew the appeal.</Trans>
            <Gap />
          </>
        ) : null}
        {order.state === 'AWAITING_PAYMENT' && order.role === 'BUYER' ? (
          <Trans>The appeal has ended and the order is restored. Please pay on time.</Trans>
        ) : mayDeposit(order) ? (
          <Trans>The appeal has ended and the order is restored. Please deposit on time.</Trans>
        ) : (
          <Trans>The appeal has ended and the order is restored.</Trans>
        )}
      </p>
      {again ? (
        <AppLink to="/appeal" query={{ id: order.id }} className={buttonClass('plain', 'small', false)}>
          <Trans>File the appeal again</Trans>
        </AppLink>
      ) : (
        <AppealLink order={order} />
      )}
    </div>
  )
}

function AppealLink({ order }: { order: Order }) {
  return (
    <AppLink
      to="/appeal"
      query={{ id: order.id }}
      className="inline-flex min-h-11 items-center self-start font-semibold underline"
    >
      <Trans>View the appeal</Trans>
    </AppLink>
  )
}

/** Tells each party how to behave until the deposit returns. */
function Frozen({ order }: { order: Order }) {
  const missing = missingDeposit(order) ?? 'SELLER'
  return (
    <div className="flex flex-col gap-2">
      {missing === order.role ? (
        <>
          <p>
            {order.nft !== null && order.role === 'SELLER' ? (
              <Trans>
                Your deposit was reversed on-chain. It’s usually restored automatically. If your wallet still
                holds the NFT, send the NFT to your escrow address again.
              </Trans>
            ) : (
              <Trans>
                Your deposit was reversed on-chain. It’s usually restored automatically. If your wallet shows
                that it wasn’t sent, send the same amount to your escrow address again.
              </Trans>
            )}
          </p>
          <AppLink to="/personalCenter" className="inline-flex min-h-11 items-center font-semibold underline">
            <Trans>View my addresses</Trans>
          </AppLink>
        </>
      ) : (
        <p>
          <OthersDeposit order={order} missing={missing} />
        </p>
      )}
      <p>
        <Trans>Once the deposit is restored, the order resumes automatically with its remaining time.</Trans>
      </p>
    </div>
  )
}

/** Tells the party that does not have to restore the deposit how to behave. */
function OthersDeposit({ order, missing }: { order: Order; missing: Order['role'] | 'EITHER' }) {
  if (missing === 'EITHER') return <Trans>One of the deposits for this order was reversed on-chain.</Trans>
  if (missing === 'BUYER')
    return <Trans>The buyer’s deposit was reversed on-chain. Don’t deposit until it’s restored.</Trans>
  if (order.kind === 'AUTOMATIC')
    return <Trans>The seller’s deposit was reversed on-chain. Don’t pay until it’s restored.</Trans>
  return order.payment !== null ? (
    <Trans>
      The seller’s deposit was reversed on-chain. You’ve marked the order as paid, so there’s nothing for you
      to do.
    </Trans>
  ) : (
    <Trans>
      The seller’s deposit was reversed on-chain. Don’t pay until it’s restored. If you’ve already paid, tap
      “I have paid”.
    </Trans>
  )
}

/** Explains that a late confirmation cancels nothing, because the buyer may have paid. */
function LateConfirmation({ order }: { order: Order }) {
  const { sold } = useTradeTexts(order)
  return order.role === 'BUYER' ? (
    <Trans>
      The seller hasn’t confirmed in time. {sold} stays in escrow: this order won’t be cancelled
      automatically, and the seller can’t cancel it. If you’ve paid, write to the seller or appeal. Cancel
      only if you haven’t paid.
    </Trans>
  ) : (
    <Trans>
      You haven’t confirmed in time. {sold} stays in escrow: this order won’t be cancelled automatically, and
      you can’t cancel it. Check your account now. Confirm only if the payment has arrived; otherwise, appeal.
    </Trans>
  )
}
