import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Appeal, AppealReason, EvidenceRequest } from '@/api/types'

export const REASON_LABELS: Record<AppealReason, MessageDescriptor> = {
  NOT_DEPOSITED: msg`The seller hasn’t deposited`,
  NOT_RELEASED: msg`I’ve paid, but the seller doesn’t confirm`,
  NOT_PAID: msg`The buyer neither pays nor cancels`,
  PAYMENT_NOT_RECEIVED: msg`The payment hasn’t arrived`,
  WRONG_AMOUNT: msg`The amount or currency is wrong`,
  THIRD_PARTY_PAYMENT: msg`The payment came from someone else’s account`,
  FRAUD: msg`The payment was reversed or the receipt is forged`,
  UNRESPONSIVE: msg`The other party doesn’t respond`,
  DEPOSIT_LOST: msg`The escrow deposit was reversed and hasn’t returned`,
  OTHER: msg`Other`,
  OVERDUE: msg`No one acted for seven days`,
  PAYOUT_VOIDED: msg`The transfer out of escrow was voided`,
}

/** What an officer can ask the user for. Anything else is in the officer's words. */
export const EVIDENCE_KINDS: Record<Exclude<EvidenceRequest['kind'], 'OTHER'>, MessageDescriptor> = {
  BANK_STATEMENT: msg`A bank statement that shows the transfer, or that it’s missing`,
  TRANSFER_RECEIPT: msg`Your bank’s receipt of the transfer`,
  ACCOUNT_HOLDER: msg`Proof of who holds the account`,
  SCREEN_RECORDING: msg`A recording of your bank’s app that shows your account`,
  CONVERSATION: msg`Messages between you and the other party outside MEC2C`,
}

/** Returns the status of an appeal as a sentence, from the user's point of view. */
export function statusText(appeal: Appeal, role: 'BUYER' | 'SELLER'): MessageDescriptor {
  switch (appeal.status) {
    case 'PENDING':
      return msg`Waiting for an officer’s decision`
    case 'DECIDED':
      return appeal.winner === role ? msg`Decided in your favor` : msg`Decided in the other party’s favor`
    case 'WITHDRAWN':
      if (appeal.withdrawnBy === null) return msg`The appeal was closed`
      return appeal.withdrawnBy === role
        ? msg`You withdrew the appeal`
        : msg`The other party withdrew the appeal`
    case 'REJECTED':
      return msg`The appeal was rejected`
    case 'EXECUTED':
      return appeal.winner === role ? msg`You won this appeal` : msg`The other party won this appeal`
  }
}
