import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { BalanceLine, FundRecord, FundType } from '@/api/types'
import { compare } from '@/lib/money'
import type { PillTone } from '@/ui/Badge'

/** Names of the types without a direction, for the filter. */
export const TYPE_LABELS: Record<FundType, MessageDescriptor> = {
  DEPOSIT: msg`Deposit`,
  WITHDRAWAL: msg`Withdrawal`,
  RELEASE: msg`Release`,
  PAYMENT: msg`Payment`,
  REFUND: msg`Refund`,
  RETURN: msg`Ad refund`,
  ADJUSTMENT: msg`Adjustment`,
}

/** Returns the title of a record for its user: the seller sends a release, and the buyer receives it. */
export function recordTitle({ type, direction }: Pick<FundRecord, 'type' | 'direction'>): MessageDescriptor {
  if (type === 'RELEASE')
    return direction === 'OUT' ? msg`Released to the buyer` : msg`Received from the seller`
  if (type === 'PAYMENT') return direction === 'OUT' ? msg`Paid to the seller` : msg`Payment from the buyer`
  return TYPE_LABELS[type]
}

/** Returns the amount of a record, signed if it changes the balance now or later. Direct transfers have no sign. */
export function signedAmount(record: Pick<FundRecord, 'effect' | 'amount' | 'state' | 'direction'>): {
  sign: '+' | '−' | ''
  value: string
} {
  const { effect, amount, state, direction } = record
  if (effect.startsWith('-')) return { sign: '−', value: effect.slice(1) }
  if (compare(effect, '0') === 1) return { sign: '+', value: effect }
  return { sign: direction === 'IN' && state === 'CONFIRMING' ? '+' : '', value: amount }
}

/** Returns the effect of a record on the balance. */
export function effectLabel({
  type,
  direction,
  state,
  effect,
  redirected,
}: Pick<FundRecord, 'type' | 'direction' | 'state' | 'effect' | 'redirected'>): MessageDescriptor {
  if (redirected) return msg`Kept in your balance because your address rejected the transfer`
  if (direction === 'DIRECT') return msg`Sent directly to your own address`
  if (compare(effect, '0') === 0) {
    return state === 'CONFIRMING' ? msg`Not in your balance yet` : msg`No change to your balance`
  }
  if (direction === 'IN' || type === 'ADJUSTMENT')
    return effect.startsWith('-') ? msg`From your balance` : msg`Added to your balance`
  return type === 'RELEASE' || type === 'PAYMENT'
    ? msg`From your balance`
    : msg`From your balance to your own address`
}

const FUND_STATE: Record<FundRecord['state'], { text: MessageDescriptor; tone: PillTone }> = {
  CONFIRMING: { text: msg`Confirming`, tone: 'warn' },
  COMPLETED: { text: msg`Completed`, tone: 'good' },
  REQUESTED: { text: msg`Requested`, tone: 'warn' },
  IN_FLIGHT: { text: msg`On the way`, tone: 'info' },
  FAILED: { text: msg`Failed, returned to your balance`, tone: 'danger' },
  REVOKED: { text: msg`Reversed on-chain`, tone: 'danger' },
}

/** Returns the state of a record. A deposit fails when its token moved less than it logged. */
export function stateLabel(record: Pick<FundRecord, 'type' | 'state'>): {
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
  adverts: msg`Available once all your ads have ended. They are listed below your balances.`,
  orders: msg`Available once all your ads have ended and all your orders are finished. They are listed below your balances.`,
  hold: msg`Withdrawals are paused for 24 hours after a change to your account.`,
  dust: msg`Your balance doesn’t cover the network fee.`,
  address: msg`Withdrawals go to your bound address, and you have none. Bind one in your personal center.`,
  risk: msg`Withdrawals are blocked for this account. Contact customer service.`,
  stopped: msg`Payouts of this coin are temporarily paused. Your balance isn’t affected.`,
}

/** Returns the reason why an asset cannot be withdrawn now. */
export function blockedLabel(line: Pick<BalanceLine, 'temporary' | 'blockedBy'>): MessageDescriptor {
  if (compare(line.temporary, '0') !== 1) return NOTHING
  return BLOCKED[line.blockedBy ?? ''] ?? NOTHING
}
