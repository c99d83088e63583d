import { useLingui } from '@lingui/react/macro'
import type { Order } from '@/api/types'

/** Returns the name on the account from which the payment may come; empty if unknown. */
export function usePayerName(order: Pick<Order, 'payerNames'>): string {
  const { i18n } = useLingui()
  return new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(order.payerNames)
}
