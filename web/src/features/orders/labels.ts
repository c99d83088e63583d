import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CancelReason, Order, OrderState, OrderStep } from '@/api/types'
import type { PillTone } from '@/ui/Badge'

/** Short names of states, for lists. */
export const STATE_LABELS: Record<OrderState, { text: MessageDescriptor; tone: PillTone }> = {
  AWAITING_ACCEPTANCE: { text: msg`Awaiting acceptance`, tone: 'warn' },
  AWAITING_DEPOSIT: { text: msg`Awaiting deposit`, tone: 'warn' },
  AWAITING_PAYMENT: { text: msg`Awaiting payment`, tone: 'warn' },
  AWAITING_CONFIRMATION: { text: msg`Awaiting confirmation`, tone: 'warn' },
  RELEASING: { text: msg`Releasing on-chain`, tone: 'info' },
  RELEASE_REVOKED: { text: msg`Releasing again`, tone: 'info' },
  REFUNDING: { text: msg`Refunding on-chain`, tone: 'info' },
  COMPLETED: { text: msg`Completed`, tone: 'good' },
  CANCELLED: { text: msg`Cancelled`, tone: 'neutral' },
  REJECTED: { text: msg`Rejected`, tone: 'neutral' },
}

type Role = Order['role']

const ACCEPTED = msg`Order accepted`
const NFT_ESCROWED = msg`NFT in escrow`
const ESCROWED = msg`Coins in escrow`
const CONFIRMED = msg`Confirmed on-chain`

/** The steps in the words of each party. */
const STEP_LABELS: Record<Role, Record<OrderStep, MessageDescriptor>> = {
  BUYER: {
    BUYER_ACCEPTED: ACCEPTED,
    SELLER_DEPOSITED: ESCROWED,
    BUYER_PAID: msg`You paid`,
    SELLER_RECEIVED: msg`Seller received payment`,
    CHAIN_CONFIRMED: CONFIRMED,
  },
  SELLER: {
    BUYER_ACCEPTED: ACCEPTED,
    SELLER_DEPOSITED: ESCROWED,
    BUYER_PAID: msg`Buyer paid`,
    SELLER_RECEIVED: msg`You received the payment`,
    CHAIN_CONFIRMED: CONFIRMED,
  },
}

/** In automatic orders, neither party confirms: both sides are exchanged once they are in escrow. */
const BOTH_ESCROWED = msg`Both deposits in escrow`
const PAYMENT_ESCROWED = msg`Payment in escrow`

/**
 * The label of a step of the timeline: an officer may have released the coins instead of the seller, and the payment of an
 * automatic order may come from the ad's escrow.
 */
export function stepLabel(
  step: OrderStep,
  order: Pick<Order, 'appeal' | 'role' | 'kind' | 'advertiser' | 'nft'>,
): MessageDescriptor {
  if (step === 'SELLER_DEPOSITED' && order.nft !== null) return NFT_ESCROWED
  if (step === 'SELLER_RECEIVED' && wasReleasedByOfficer(order)) return msg`Released by an officer`
  if (order.kind === 'AUTOMATIC') {
    if (step === 'SELLER_RECEIVED') return BOTH_ESCROWED
    if (step === 'BUYER_PAID' && !fromAdvert(order)) return PAYMENT_ESCROWED
  }
  return STEP_LABELS[order.role][step]
}

/** Returns the name of a step that is still awaited. */
export function stepName(step: OrderStep, { role, kind }: Pick<Order, 'role' | 'kind'>): MessageDescriptor {
  return step === 'SELLER_RECEIVED' && kind === 'AUTOMATIC' ? BOTH_ESCROWED : STEP_NAMES[role][step]
}

/** Returns whether an officer's verdict, not the seller, released the coins. */
export function wasReleasedByOfficer({ appeal }: Pick<Order, 'appeal'>): boolean {
  return appeal?.status === 'EXECUTED' && appeal.outcome === 'RELEASE'
}

const ACCEPTANCE = msg`Acceptance`
const ON_CHAIN = msg`Confirmation on-chain`

/** Names of steps that are still awaited, in the words of each party. */
const STEP_NAMES: Record<Role, Record<OrderStep, MessageDescriptor>> = {
  BUYER: {
    BUYER_ACCEPTED: ACCEPTANCE,
    SELLER_DEPOSITED: msg`The seller’s deposit`,
    BUYER_PAID: msg`Your payment`,
    SELLER_RECEIVED: msg`Confirmation by the seller`,
    CHAIN_CONFIRMED: ON_CHAIN,
  },
  SELLER: {
    BUYER_ACCEPTED: ACCEPTANCE,
    SELLER_DEPOSITED: msg({ message: 'Your deposit', context: 'step of an order' }),
    BUYER_PAID: msg`The buyer’s payment`,
    SELLER_RECEIVED: msg`Your confirmation`,
    CHAIN_CONFIRMED: ON_CHAIN,
  },
}

export interface OrderTask {
  /** The step to take or wait for, as a sentence followed by the deadline. */
  text: MessageDescriptor
  /** The text shown after the deadline. */
  late?: MessageDescriptor
  /** Set to `false` to hide the countdown, if nothing happens at the deadline. */
  clock?: false
}

type Tasks = Record<Role, Partial<Record<OrderState, OrderTask>>>

const TASKS: Tasks = {
  BUYER: {
    AWAITING_ACCEPTANCE: { text: msg`Waiting for the seller to accept` },
    AWAITING_DEPOSIT: {
      text: msg`Waiting for the seller’s deposit`,
      late: msg`The seller’s deposit is overdue`,
    },
    AWAITING_PAYMENT: { text: msg`Pay the seller within`, late: msg`Your payment is overdue` },
    AWAITING_CONFIRMATION: {
      text: msg`Waiting for the seller to confirm your payment`,
      late: msg`The seller’s confirmation is overdue`,
    },
    RELEASING: { text: msg`Your coins are on the way` },
    RELEASE_REVOKED: { text: msg`The release was reversed on-chain and is being sent again` },
    REFUNDING: { text: msg`Returning the escrowed coins to the seller` },
    COMPLETED: { text: msg`Completed. You’ve received the coins.` },
    CANCELLED: { text: msg`This order was cancelled` },
  },
  SELLER: {
    AWAITING_ACCEPTANCE: { text: msg`Accept or reject within` },
    AWAITING_DEPOSIT: { text: msg`Deposit into escrow within`, late: msg`Your deposit is overdue` },
    AWAITING_PAYMENT: {
      text: msg`Waiting for the buyer’s payment`,
      late: msg`The buyer’s payment is overdue`,
    },
    AWAITING_CONFIRMATION: {
      text: msg`Check your account and confirm within`,
      late: msg`Your confirmation is overdue`,
    },
    RELEASING: { text: msg`Sending the coins to the buyer` },
    RELEASE_REVOKED: { text: msg`The release was reversed on-chain and is being sent again` },
    REFUNDING: { text: msg`Returning the escrowed coins to you` },
    COMPLETED: { text: msg`Completed. The buyer has received the coins.` },
    CANCELLED: { text: msg`This order was cancelled` },
  },
}

/** In automatic orders, payment and confirmation come from the chain, and a release pays both parties. */
const AUTOMATIC: Partial<Record<OrderState, Partial<Record<Role, OrderTask>>>> = {
  AWAITING_PAYMENT: {
    BUYER: { text: msg`Send the payment within`, late: msg`Your payment is overdue` },
    SELLER: { text: msg`Waiting for the on-chain payment`, late: msg`The buyer’s payment is overdue` },
  },
  RELEASING: { SELLER: { text: msg`The payment is on the way to you` } },
  COMPLETED: { SELLER: { text: msg`Completed. You’ve received the payment.` } },
}

/** What differs if the order is about an NFT. */
const NFT_TASKS: Tasks = {
  BUYER: {
    RELEASING: { text: msg`Your NFT is on the way` },
    REFUNDING: { text: msg`Returning the NFT to the seller` },
    COMPLETED: { text: msg`Completed. You’ve received the NFT.` },
  },
  SELLER: {
    RELEASING: { text: msg`Sending the NFT to the buyer` },
    REFUNDING: { text: msg`Returning the NFT to you` },
    COMPLETED: { text: msg`Completed. The buyer has received the NFT.` },
  },
}

/** Returns whether the seller is the advertiser, whose ad escrowed the coins. */
export function fromAdvert({ role, advertiser }: Pick<Order, 'role' | 'advertiser'>): boolean {
  return (role === 'SELLER') === advertiser
}

/** Returns whether the buyer gets coins back. A refund pays what the taker deposited; coins from an ad return to the ad at once. */
export function refundsBuyer(order: Pick<Order, 'kind' | 'state' | 'role' | 'advertiser'>): boolean {
  return order.kind === 'AUTOMATIC' && order.state === 'REFUNDING' && fromAdvert(order)
}

const BUYER_REFUNDED: Record<Role, OrderTask> = {
  BUYER: { text: msg`Returning the escrowed coins to you` },
  SELLER: { text: msg`Returning the escrowed coins to the buyer` },
}

/** An advertiser who buys accepts; one who sells waits. */
const BY_ADVERTISER: Record<'accepts' | 'waits', OrderTask> = {
  accepts: { text: msg`Accept or reject within` },
  waits: { text: msg`Waiting for the other party to accept` },
}

/** The advertiser rejects, whether buyer or seller. */
const REJECTED: Record<'own' | Role, OrderTask> = {
  own: { text: msg`You rejected this order` },
  BUYER: { text: msg`The seller rejected this order` },
  SELLER: { text: msg`The buyer rejected this order` },
}

/** All transfers are on-chain, so there is nothing to do and neither party is late. */
const COVERED: Partial<Record<OrderState, Record<Role, OrderTask>>> = {
  AWAITING_DEPOSIT: {
    BUYER: { text: msg`The seller’s deposit has arrived and is being confirmed on-chain.`, clock: false },
    SELLER: { text: msg`Your deposit has arrived and is being confirmed on-chain.`, clock: false },
  },
  AWAITING_PAYMENT: {
    BUYER: { text: msg`Your payment has arrived and is being confirmed on-chain.`, clock: false },
    SELLER: { text: msg`The buyer’s payment has arrived and is being confirmed on-chain.`, clock: false },
  },
}

/** The chain shows a direct payment that the buyer has not reported. */
const SEEN: Record<Role, OrderTask> = {
  BUYER: { text: msg`Your payment was detected on-chain. Tap “I have paid”.`, clock: false },
  SELLER: {
    text: msg`The buyer’s payment was detected on-chain. The buyer hasn’t marked the order as paid yet.`,
    clock: false,
  },
}

/** Neither party can act until the missing deposit returns. */
const FROZEN: OrderTask = { text: msg`Order frozen. All timers are paused.`, clock: false }

/** Only an officer, or a withdrawal, unlocks the order. */
const UNDER_APPEAL: OrderTask = { text: msg`Under appeal. All timers are paused.`, clock: false }

export type OrderTaskFacts = Pick<
  Order,
  'role' | 'state' | 'kind' | 'advertiser' | 'overlay' | 'covered' | 'paymentSeen' | 'nft'
>

/** Returns the main sentence of an order, from the user's point of view. */
export function orderTask(order: OrderTaskFacts): OrderTask {
  if (order.overlay === 'UNDER_APPEAL') return UNDER_APPEAL
  if (order.overlay === 'FROZEN') return FROZEN
  if (order.state === 'AWAITING_ACCEPTANCE')
    return order.advertiser ? BY_ADVERTISER.accepts : BY_ADVERTISER.waits
  if (order.state === 'REJECTED') return REJECTED[order.advertiser ? 'own' : order.role]
  const covered = order.covered ? COVERED[order.state]?.[order.role] : undefined
  if (covered !== undefined) return covered
  if (order.state === 'AWAITING_PAYMENT' && order.paymentSeen?.ambiguous === false) return SEEN[order.role]
  if (refundsBuyer(order)) return BUYER_REFUNDED[order.role]
  const automatic = order.kind === 'AUTOMATIC' ? AUTOMATIC[order.state]?.[order.role] : undefined
  const nft = order.nft === null ? undefined : NFT_TASKS[order.role][order.state]
  return automatic ?? nft ?? TASKS[order.role][order.state] ?? { text: STATE_LABELS[order.state].text }
}

/** Returns a short name of the state that takes transfers on the chain into account. */
export function stateLabel(order: Pick<Order, 'state' | 'covered'>): {
  text: MessageDescriptor
  tone: PillTone
} {
  return order.covered ? { text: msg`Confirming on-chain`, tone: 'info' } : STATE_LABELS[order.state]
}

/** Why an order was cancelled, in the words of each party. */
const ENDS: Record<Role, Record<Exclude<CancelReason, 'WITHDRAWN'>, MessageDescriptor>> = {
  BUYER: {
    AGREED: msg`The seller asked to cancel, and you agreed.`,
    ACCEPTANCE_OVERDUE: msg`The order wasn’t accepted in time.`,
    DEPOSIT_OVERDUE: msg`The seller’s deposit didn’t arrive in time.`,
    PAYMENT_OVERDUE: msg`You didn’t pay in time.`,
    CONFIRMATION_OVERDUE: msg`The seller didn’t confirm in time, and you cancelled the order.`,
    UNDELIVERABLE: msg`The NFT couldn’t be delivered.`,
    DECIDED: msg`An officer decided the appeal.`,
  },
  SELLER: {
    AGREED: msg`You asked to cancel, and the buyer agreed.`,
    ACCEPTANCE_OVERDUE: msg`The order wasn’t accepted in time.`,
    DEPOSIT_OVERDUE: msg`Your deposit didn’t arrive in time.`,
    PAYMENT_OVERDUE: msg`The buyer didn’t pay in time.`,
    CONFIRMATION_OVERDUE: msg`You didn’t confirm in time, and the buyer cancelled the order.`,
    UNDELIVERABLE: msg`The NFT couldn’t be delivered.`,
    DECIDED: msg`An officer decided the appeal.`,
  },
}

const CANCELLED_BY: Record<'own' | Role, MessageDescriptor> = {
  own: msg`You cancelled the order.`,
  BUYER: msg`The buyer cancelled the order.`,
  SELLER: msg`The seller cancelled the order.`,
}

/** Returns who or what ended the order; `null` if nothing needs to be said. */
export function endLabel({
  endReason,
  cancelledBy,
  role,
}: Pick<Order, 'endReason' | 'cancelledBy' | 'role'>): MessageDescriptor | null {
  if (endReason === null) return null
  if (endReason !== 'WITHDRAWN') return ENDS[role][endReason]
  return cancelledBy === null ? null : CANCELLED_BY[cancelledBy === role ? 'own' : cancelledBy]
}

/** Returns whether the buyer has paid, as far as the buyer says, and waits for the seller. */
export function waitsAfterPaying(order: Pick<Order, 'role' | 'state' | 'kind' | 'overlay'>): boolean {
  const { role, state, kind, overlay } = order
  return role === 'BUYER' && state === 'AWAITING_CONFIRMATION' && kind === 'MANUAL' && overlay === null
}

/** Returns whether the parties must wait: an officer decides, or a deposit is missing. */
export function isSuspended({ overlay }: Pick<Order, 'overlay'>): boolean {
  return overlay === 'FROZEN' || overlay === 'UNDER_APPEAL'
}

/** Returns whether the order page shows the details of the payment. Buyers who must not pay now do not see them. */
export function showsPayment(order: Pick<Order, 'state' | 'kind' | 'role' | 'overlay'>): boolean {
  if (order.kind === 'AUTOMATIC') return false
  if (order.state === 'AWAITING_PAYMENT') return order.role === 'SELLER' || !isSuspended(order)
  return order.state === 'AWAITING_CONFIRMATION'
}
