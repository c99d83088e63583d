import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { BalanceLine, FundRecord, FundType } from '@/api/types'
import { compare } from '@/lib/money'
import type { PillTone } from '@/ui/Badge'

export const TYPE_WORDS: Record<FundType, MessageDescriptor> = {
  DEPOSIT: msg`Deposit`,
  WITHDRAWAL: msg`Withdrawal`,
  RELEASE: msg`Release to the buyer`,
  REFUND: msg`Refund`,
  RETURN: msg`Ad refund`,
}

const FUND_STATE: Record<FundRecord['state'], { text: MessageDescriptor; tone: PillTone }> = {
  CONFIRMING: { text: msg`Confirming`, tone: 'warn' },
  COMPLETED: { text: msg`Completed`, tone: 'good' },
  REQUESTED: { text: msg`Requested`, tone: 'warn' },
  IN_FLIGHT: { text: msg`On the way`, tone: 'info' },
  FAILED: { text: msg`Failed, returned to your balance`, tone: 'danger' },
  REVOKED: { text: msg`Reversed on-chain`, tone: 'danger' },
}

/** How a movement stands. A deposit fails when its token moved less than it said. */
export function stateWords(record: Pick<FundRecord, 'type' | 'state'>): {
  text: MessageDescriptor
  tone: PillTone
} {
  if (record.type === 'DEPOSIT' && record.state === 'FAILED') {
    return { text: msg`Not credited: less arrived than the transfer stated`, tone: 'danger' }
  }
  return FUND_STATE[record.state]
}

const NOTHING = msg`You have nothing to withdraw.`

const BLOCKED: Record<string, MessageDescriptor> = {
  adverts: msg`Available once all your ads have ended.`,
  orders: msg`Available once all your orders are finished.`,
  hold: msg`On hold for 24 hours after a change to your account.`,
  dust: msg`Less than the network fee.`,
  kyc: msg`Requires advanced verification in the pass app.`,
  risk: msg`Withdrawals are blocked for this account. Contact customer service.`,
  stopped: msg`Payouts of this coin are temporarily paused. Your balance isn’t affected.`,
}

/** Why a coin cannot be withdrawn now. */
export function blockedWords(line: Pick<BalanceLine, 'temporary' | 'blockedBy'>): MessageDescriptor {
  if (compare(line.temporary, '0') !== 1) return NOTHING
  return BLOCKED[line.blockedBy ?? ''] ?? NOTHING
}
