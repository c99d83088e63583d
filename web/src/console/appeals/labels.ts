import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { AppealReason, OrderState } from '@/api/types'
import type { PillTone } from '@/ui/Badge'
import type {
  AllowedRuling,
  EvidenceKind,
  FundsLocation,
  Kyc,
  Party,
  QueueOrder,
  QueueView,
  Requires,
  Ruling,
  Signal,
  Status,
  Transaction,
} from './types'

export const REASONS: Record<AppealReason, MessageDescriptor> = {
  NOT_DEPOSITED: msg`The seller hasn’t deposited`,
  NOT_RELEASED: msg`The seller doesn’t confirm the payment`,
  NOT_PAID: msg`The buyer neither pays nor cancels`,
  PAYMENT_NOT_RECEIVED: msg`The payment hasn’t arrived`,
  WRONG_AMOUNT: msg`The amount or currency is wrong`,
  THIRD_PARTY_PAYMENT: msg`The payment came from someone else’s account`,
  FRAUD: msg`The payment was reversed or the receipt is forged`,
  UNRESPONSIVE: msg`The other party doesn’t respond`,
  DEPOSIT_LOST: msg`The escrow deposit was reversed and hasn’t returned`,
  OTHER: msg`Other reason`,
  OVERDUE: msg`No one acted for seven days`,
  PAYOUT_VOIDED: msg`The transfer out of escrow was voided`,
}

/** What an officer can ask for, as officers read it. The parties read it in their own language. */
export const EVIDENCE: Record<EvidenceKind, MessageDescriptor> = {
  BANK_STATEMENT: msg`Bank statement of the transfer`,
  TRANSFER_RECEIPT: msg`The bank’s receipt of the transfer`,
  ACCOUNT_HOLDER: msg`Proof of who holds the account`,
  SCREEN_RECORDING: msg`Recording of the bank’s app`,
  CONVERSATION: msg`Messages outside MEC2C`,
  OTHER: msg({ message: 'Something else', context: 'evidence' }),
}

export const PARTIES: Record<Party, MessageDescriptor> = {
  BUYER: msg`Buyer`,
  SELLER: msg`Seller`,
}

export const STATUSES: Record<Status, { text: MessageDescriptor; tone: PillTone }> = {
  PENDING: { text: msg`Awaiting a verdict`, tone: 'warn' },
  DECIDED: { text: msg`Decided, waiting`, tone: 'info' },
  WITHDRAWN: { text: msg`Withdrawn`, tone: 'neutral' },
  REJECTED: { text: msg({ message: 'Rejected', context: 'appeal' }), tone: 'neutral' },
  EXECUTED: { text: msg`Executed`, tone: 'good' },
}

export const SIGNALS: Record<Signal, { text: MessageDescriptor; tone: PillTone }> = {
  RECEIPT_USED_BEFORE: { text: msg`Receipt used before`, tone: 'danger' },
  MALICIOUS_APPEALS_BEFORE: { text: msg`Malicious appeals before`, tone: 'danger' },
  LOST_APPEALS_BEFORE: { text: msg`Lost appeals before`, tone: 'warn' },
  MANY_APPEALS: { text: msg`Many appeals`, tone: 'warn' },
  LOW_REPUTATION: { text: msg`Low credit score`, tone: 'warn' },
  NEW_ACCOUNT: { text: msg`New account`, tone: 'warn' },
  VALUE_ABOVE_LIMIT: { text: msg`Large value`, tone: 'info' },
}

export const VIEWS: Record<QueueView, MessageDescriptor> = {
  OPEN: msg({ message: 'Open', context: 'appeals' }),
  MINE: msg({ message: 'Mine', context: 'appeals' }),
  DECIDED: msg({ message: 'Decided', context: 'appeals' }),
  ENDED: msg({ message: 'Ended', context: 'appeals' }),
}

export const ORDERS: Record<QueueOrder, MessageDescriptor> = {
  AGE: msg`Oldest first`,
  AMOUNT: msg`Largest value first`,
  RISK: msg`Highest risk first`,
}

export const REQUIRES: Record<Requires, MessageDescriptor> = {
  CUSTOMER_SERVICE: msg`Customer service`,
  APPEAL_OFFICER: msg`Appeal officer`,
  TWO_OFFICERS: msg`Two officers`,
}

export const RULINGS: Record<Ruling, MessageDescriptor> = {
  BUYER: msg`Buyer wins`,
  SELLER: msg`Seller wins`,
  REJECT: msg({ message: 'Reject', context: 'appeal' }),
  REOPEN: msg`Revoke verdict`,
}

export const ORDER_STATES: Record<OrderState, MessageDescriptor> = {
  AWAITING_ACCEPTANCE: msg`Awaiting acceptance`,
  AWAITING_DEPOSIT: msg`Awaiting deposit`,
  AWAITING_PAYMENT: msg`Awaiting payment`,
  AWAITING_CONFIRMATION: msg`Awaiting confirmation`,
  RELEASING: msg`Releasing on-chain`,
  RELEASE_REVOKED: msg`Releasing again`,
  REFUNDING: msg`Refunding on-chain`,
  COMPLETED: msg({ message: 'Completed', context: 'order' }),
  CANCELLED: msg({ message: 'Cancelled', context: 'order' }),
  REJECTED: msg({ message: 'Rejected', context: 'order' }),
}

/** Returns what a transaction does. In automatic orders, both parties deposit coins and receive some. */
export function transactionText({ kind, party }: Pick<Transaction, 'kind' | 'party'>): MessageDescriptor {
  switch (kind) {
    case 'DEPOSIT':
      return msg`Deposit into escrow`
    case 'PAYMENT':
      return msg`Payment on-chain`
    case 'RELEASE':
      return party === 'BUYER' ? msg`Release to the buyer` : msg`Release to the seller`
    case 'REFUND':
      return party === 'BUYER' ? msg`Return to the buyer` : msg`Return to the seller`
  }
}

export const TRANSACTION_STATES: Record<Transaction['state'], { text: MessageDescriptor; tone: PillTone }> = {
  PLANNED: { text: msg`Not sent yet`, tone: 'neutral' },
  CONFIRMING: { text: msg`Confirming`, tone: 'info' },
  FINAL: { text: msg`Final`, tone: 'good' },
  FAILED: { text: msg`Failed, tried again`, tone: 'warn' },
  VOIDED: { text: msg`Voided`, tone: 'danger' },
  REMOVED: { text: msg`Reversed on-chain`, tone: 'danger' },
}

/** Where the base is. */
export const LOCATIONS: Record<FundsLocation, MessageDescriptor> = {
  SELLER: msg`With the seller`,
  ESCROW: msg`In escrow`,
  IN_FLIGHT: msg`On the way`,
  BUYER: msg`With the buyer`,
  RETURNED: msg`Returned to the seller`,
}

export const KYC: Record<Kyc, MessageDescriptor> = {
  none: msg`Not verified`,
  basic: msg`Basic`,
  advanced: msg`Advanced`,
}

/** Why an officer can’t make a decision. */
export const REFUSALS: Record<NonNullable<AllowedRuling['refusal']>, MessageDescriptor> = {
  NOT_OPEN: msg`The appeal has ended.`,
  DECIDED: msg`The appeal has a verdict, which must be revoked first.`,
  NOT_DECIDED: msg`There is no verdict to revoke.`,
  SHORT: msg`Part of the deposits is missing from escrow, so only the seller can win.`,
  ABOVE_LIMIT: msg`Appeals about orders of this value are decided by appeal officers.`,
  NOT_INDEPENDENT: msg`An officer who was created, reset or promoted by another administrator must agree to this proposal.`,
  CANNOT_RESUME: msg`The payout was voided, so the order can’t continue. Decide for one of the parties.`,
}

const NOTICES: Record<string, MessageDescriptor> = {
  NEW_ORDER: msg`Order placed`,
  ORDER_ACCEPTED: msg`Order accepted`,
  ORDER_REJECTED: msg`Order rejected`,
  ORDER_CANCELLED: msg`Order cancelled`,
  CANCEL_ASKED: msg`The seller asked the buyer to cancel`,
  ORDER_DEPOSITED: msg`The seller’s deposit is in escrow`,
  DEPOSIT_OVERDUE: msg`Deposit overdue`,
  ORDER_PAID: msg`Payment received on-chain`,
  PAYMENT_OVERDUE: msg`Payment overdue`,
  PICTURE_USED_BEFORE: msg`Picture used before`,
  PAYMENT_AMBIGUOUS: msg`Payment may be another order’s`,
  CONFIRMATION_OVERDUE: msg`Confirmation overdue`,
  PAYMENT_CONFIRMED: msg`Payment confirmed. The release to the buyer has begun.`,
  // In automatic orders, a release pays both parties.
  ORDER_RELEASING: msg`The release from escrow has begun`,
  RELEASE_REVOKED: msg`The release was reversed on-chain and is being sent again`,
  ORDER_COMPLETED: msg`Completed: the release has arrived`,
  REFUND_REVOKED: msg`The refund was reversed on-chain and is being sent again`,
  PAYOUT_REDIRECTED: msg`The recipient’s address refuses the transfer. What it would have received stays in custody for the recipient.`,
  PAYOUT_VOIDED: msg`The payout failed on-chain`,
  APPEAL_FILED: msg`MEC2C filed an appeal`,
  EVIDENCE_ADDED: msg`Evidence added`,
  EVIDENCE_REQUESTED: msg`Evidence requested`,
  APPEAL_WITHDRAWN: msg`The appeal ended, and the order was restored`,
  APPEAL_REJECTED: msg`An officer rejected the appeal`,
  APPEAL_DECIDED: msg`An officer decided the appeal`,
  APPEAL_REOPENED: msg`The verdict was revoked`,
  ORDER_DECIDED: msg`The verdict was executed`,
  ORDER_FROZEN: msg`The deposit was reversed on-chain. The order is frozen.`,
  ORDER_UNFROZEN: msg`The deposit is restored, and the order continues`,
  DEADLINE_MOVED: msg`The deadline was extended`,
}

/** Transitions that read differently if a party caused them. */
const BY_PARTY: Record<string, MessageDescriptor> = {
  APPEAL_FILED: msg`Appeal filed`,
  APPEAL_WITHDRAWN: msg`Appeal withdrawn, and the order was restored`,
  ORDER_PAID: msg`Marked as paid`,
}

const OTHER = msg`The order was updated`

/** Returns what happened at a transition, by the notice of the server. */
export function noticeText(notice: string | null, by: Party | null): MessageDescriptor {
  if (notice === null) return OTHER
  return (by === null ? undefined : BY_PARTY[notice]) ?? NOTICES[notice] ?? OTHER
}

export function opponent(party: Party): Party {
  return party === 'BUYER' ? 'SELLER' : 'BUYER'
}
