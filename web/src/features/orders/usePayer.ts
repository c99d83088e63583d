import { useLingui } from '@lingui/react/macro'
import type { Order } from '@/api/types'

/** In whose name the payment to a seller may come; empty where nothing is known of it. */
export function usePayer(order: Pick<Order, 'payerNames'>): string {
  const { i18n } = useLingui()
  return new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(order.payerNames)
}
