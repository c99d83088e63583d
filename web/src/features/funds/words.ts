import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FundRecord, FundType } from '@/api/expected'
import type { PillTone } from '@/ui/Badge'

export const TYPE_WORDS: Record<FundType, MessageDescriptor> = {
  DEPOSIT: msg`Deposit`,
  WITHDRAWAL: msg`Withdrawal`,
  RELEASE: msg`Release to the buyer`,
  REFUND: msg`Refund`,
  RETURN: msg`Return of an ad`,
}

export const FUND_STATE: Record<FundRecord['state'], { text: MessageDescriptor; tone: PillTone }> = {
  CONFIRMING: { text: msg`Confirming`, tone: 'warn' },
  COMPLETED: { text: msg`Completed`, tone: 'good' },
  REQUESTED: { text: msg`Requested`, tone: 'warn' },
  IN_FLIGHT: { text: msg`On the way`, tone: 'info' },
  FAILED: { text: msg`Failed, still owed to you`, tone: 'danger' },
  REVOKED: { text: msg`Taken back by the chain`, tone: 'danger' },
}

export const BLOCKED: Record<string, MessageDescriptor> = {
  nothing: msg`There is nothing to withdraw.`,
  adverts: msg`Possible when all your ads are done.`,
  orders: msg`Possible when all your orders are done.`,
  hold: msg`Held for 24 hours after a change of your account.`,
  dust: msg`Less than the gas of a return.`,
  kyc: msg`Needs the advanced verification in the pass app.`,
}
