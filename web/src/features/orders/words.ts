import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CancelReason, Order, OrderState, OrderStep } from '@/api/types'
import type { PillTone } from '@/ui/Badge'

/** A state in a word or two, for lists. */
export const STATE_WORDS: Record<OrderState, { text: MessageDescriptor; tone: PillTone }> = {
  AWAITING_ACCEPTANCE: { text: msg`Awaiting acceptance`, tone: 'warn' },
  AWAITING_DEPOSIT: { text: msg`Awaiting deposit`, tone: 'warn' },
  AWAITING_PAYMENT: { text: msg`Awaiting payment`, tone: 'warn' },
  AWAITING_CONFIRMATION: { text: msg`Awaiting confirmation`, tone: 'warn' },
  RELEASING: { text: msg`Releasing on the chain`, tone: 'info' },
  RELEASE_REVOKED: { text: msg`Release being repeated`, tone: 'info' },
  REFUNDING: { text: msg`Refunding on the chain`, tone: 'info' },
  COMPLETED: { text: msg`Completed`, tone: 'good' },
  CANCELLED: { text: msg`Cancelled`, tone: 'neutral' },
  REJECTED: { text: msg`Rejected`, tone: 'neutral' },
}

export const STEP_WORDS: Record<OrderStep, MessageDescriptor> = {
  BUYER_ACCEPTED: msg`Order accepted`,
  SELLER_DEPOSITED: msg`Coins in escrow`,
  BUYER_PAID: msg`Buyer paid`,
  SELLER_RECEIVED: msg`Seller received the money`,
  CHAIN_CONFIRMED: msg`Confirmed on the chain`,
}

export interface Task {
  /** What is to be done or awaited, as a sentence with the clock behind it. */
  text: MessageDescriptor
  /** Reads after the deadline. */
  late?: MessageDescriptor
  /** Nothing happens when the clock runs out. */
  clock?: false
}

type Tasks = Record<'BUYER' | 'SELLER', Partial<Record<OrderState, Task>>>

const TASKS: Tasks = {
  BUYER: {
    AWAITING_ACCEPTANCE: { text: msg`Waiting for the seller to accept` },
    AWAITING_DEPOSIT: {
      text: msg`Waiting for the seller’s deposit`,
      late: msg`The seller’s deposit is overdue`,
    },
    AWAITING_PAYMENT: { text: msg`Pay the seller within`, late: msg`Your payment is overdue` },
    AWAITING_CONFIRMATION: {
      text: msg`Waiting for the seller to confirm your money`,
      late: msg`The seller’s confirmation is overdue`,
    },
    RELEASING: { text: msg`Your coins are on their way` },
    RELEASE_REVOKED: { text: msg`The chain took the release back; it is being sent again` },
    REFUNDING: { text: msg`The escrow is going back to the seller` },
    COMPLETED: { text: msg`Done. The coins are yours.` },
    CANCELLED: { text: msg`This order was cancelled` },
    REJECTED: { text: msg`The seller did not take this order` },
  },
  SELLER: {
    AWAITING_ACCEPTANCE: { text: msg`Accept or reject within` },
    AWAITING_DEPOSIT: { text: msg`Send the coins to escrow within`, late: msg`Your deposit is overdue` },
    AWAITING_PAYMENT: {
      text: msg`Waiting for the buyer’s payment`,
      late: msg`The buyer’s payment is overdue`,
    },
    AWAITING_CONFIRMATION: {
      text: msg`Check your account and confirm within`,
      late: msg`Your confirmation is overdue`,
    },
    RELEASING: { text: msg`The coins are going to the buyer` },
    RELEASE_REVOKED: { text: msg`The chain took the release back; it is being sent again` },
    REFUNDING: { text: msg`The escrow is coming back to you` },
    COMPLETED: { text: msg`Done. The buyer has the coins.` },
    CANCELLED: { text: msg`This order was cancelled` },
    REJECTED: { text: msg`You did not take this order` },
  },
}

/** On an automatic order only the chain moves payment and confirmation. */
const AUTOMATIC: Partial<Record<OrderState, Record<'BUYER' | 'SELLER', Task>>> = {
  AWAITING_PAYMENT: {
    BUYER: { text: msg`Send the payment within`, late: msg`Your payment is overdue` },
    SELLER: { text: msg`Waiting for the payment on the chain`, late: msg`The buyer’s payment is overdue` },
  },
}

/** An advertiser who buys accepts; one who sold waits. */
const BY_ADVERTISER: Record<'accepts' | 'waits', Task> = {
  accepts: { text: msg`Accept or reject within` },
  waits: { text: msg`Waiting for the other side to accept` },
}

/** All of it is in blocks: nobody is late any more, and there is nothing to do. */
const COVERED: Partial<Record<OrderState, Record<'BUYER' | 'SELLER', Task>>> = {
  AWAITING_DEPOSIT: {
    BUYER: { text: msg`The seller’s deposit arrived. The chain is confirming it.`, clock: false },
    SELLER: { text: msg`Your deposit arrived. The chain is confirming it.`, clock: false },
  },
  AWAITING_PAYMENT: {
    BUYER: { text: msg`Your payment arrived. The chain is confirming it.`, clock: false },
    SELLER: { text: msg`The buyer’s payment arrived. The chain is confirming it.`, clock: false },
  },
}

/** The chain shows a payment from person to person that the buyer has not spoken of. */
const SEEN: Record<'BUYER' | 'SELLER', Task> = {
  BUYER: { text: msg`The chain shows your payment. Say that you have paid.`, clock: false },
  SELLER: { text: msg`The chain shows a payment. The buyer has yet to say so.`, clock: false },
}

/** Whoever's turn it was, it is nobody's until the missing coins are back. */
const FROZEN: Task = { text: msg`Frozen. All clocks stand still.`, clock: false }

export type TaskFacts = Pick<
  Order,
  'role' | 'state' | 'kind' | 'advertiser' | 'overlay' | 'covered' | 'paymentSeen'
>

/** The one sentence of an order for the person who reads it. */
export function taskOf(order: TaskFacts): Task {
  if (order.overlay === 'FROZEN') return FROZEN
  if (order.state === 'AWAITING_ACCEPTANCE')
    return order.advertiser ? BY_ADVERTISER.accepts : BY_ADVERTISER.waits
  const covered = order.covered ? COVERED[order.state]?.[order.role] : undefined
  if (covered !== undefined) return covered
  if (order.state === 'AWAITING_PAYMENT' && order.paymentSeen !== null) return SEEN[order.role]
  const automatic = order.kind === 'AUTOMATIC' ? AUTOMATIC[order.state]?.[order.role] : undefined
  return automatic ?? TASKS[order.role][order.state] ?? { text: STATE_WORDS[order.state].text }
}

/** The state in a word or two, with what the chain shows of it already. */
export function stateWords(order: Pick<Order, 'state' | 'covered'>): {
  text: MessageDescriptor
  tone: PillTone
} {
  return order.covered ? { text: msg`Confirming on the chain`, tone: 'info' } : STATE_WORDS[order.state]
}

const ENDS: Record<CancelReason, MessageDescriptor> = {
  WITHDRAWN: msg`One of the two cancelled it.`,
  AGREED: msg`Both sides agreed to cancel it.`,
  ACCEPTANCE_OVERDUE: msg`Nobody accepted it in time.`,
  DEPOSIT_OVERDUE: msg`The deposit did not come in time.`,
  PAYMENT_OVERDUE: msg`The payment did not come in time.`,
  CONFIRMATION_OVERDUE: msg`The seller did not confirm in time.`,
}

export function endWords(reason: CancelReason | null): MessageDescriptor | null {
  return reason === null ? null : ENDS[reason]
}
