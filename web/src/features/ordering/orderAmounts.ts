import type { Decimal } from '@/lib/decimal'
import { quantityFor, total } from '@/lib/money'

/** The terms of an ad with which the amounts of an order are computed. */
export interface Terms {
  price: Decimal
  /** The number of decimals that users may type. */
  baseScale: number
  quoteScale: number
}

export interface OrderAmounts {
  quantity: Decimal
  money: Decimal
}

/** Returns the amounts for an input, or `null` while it is not a number. */
export function orderAmounts(typed: string, unit: 'money' | 'quantity', terms: Terms): OrderAmounts | null {
  const quantity = unit === 'money' ? quantityFor(typed, terms.price, terms.baseScale) : typed
  if (quantity === null) return null
  // The server computes the total from the quantity, so show the same total.
  const money = total(quantity, terms.price, terms.quoteScale)
  return money === null ? null : { quantity, money }
}
