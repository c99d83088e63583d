import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Order } from '@/api/types'

/** Payments that the payer, or a bank, can take back after they have arrived. */
const REVERSIBLE = new Set(['visaDirect', 'zelle', 'cashApp', 'revolut', 'interac', 'alipay', 'wechat'])
/** Transfers between banks, which can stay pending for hours or days. */
const BANK = new Set(['bankCard', 'bankTransfer', 'sepa'])
/** Offers of other exchanges and methods that the platform doesn't know. */
const UNKNOWN = new Set(['exchange', 'other'])

/**
 * Returns what each party must know about a payment method before money moves. A buyer is also told whose account to pay from,
 * whatever the method.
 */
export function methodAdvice(type: string, role: Order['role']): MessageDescriptor {
  if (REVERSIBLE.has(type)) {
    return role === 'SELLER'
      ? msg`Payments with this method can be reversed. Release only if the payer’s account is in the buyer’s own name.`
      : msg`Don’t reverse the payment. Until the release, the seller can appeal.`
  }
  if (BANK.has(type)) {
    return role === 'SELLER'
      ? msg`Check the balance in your banking app. A text message, an email or a pending transfer isn’t a payment.`
      : msg`A transfer from someone else’s bank account can be refused.`
  }
  if (UNKNOWN.has(type)) {
    return role === 'SELLER'
      ? msg`Check in the app or account itself that the payment has arrived and can’t be reversed.`
      : msg`Pay only to the account shown in the order, never to one that you get in a message.`
  }
  return role === 'SELLER'
    ? msg`Payments with this method arrive within minutes. Check the balance in the app: confirmation messages are often forged.`
    : msg`Pay in the app itself, only to the account shown in the order.`
}
