import { compare, type Decimal, min, quantityFor, total } from '@/lib/money'

/** The terms of an ad that limit an order. */
export interface Terms {
  price: Decimal
  remaining: Decimal
  orderMin: Decimal
  orderMax: Decimal
  /** Decimals that may be typed. */
  baseScale: number
  quoteScale: number
}

export interface OrderAmounts {
  quantity: Decimal
  money: Decimal
}

/** The largest total of an order: the ad's limit, or what remains of the ad. */
export function maxOrderTotal(terms: Terms): Decimal {
  return min(terms.orderMax, total(terms.remaining, terms.price, terms.quoteScale) ?? terms.orderMax)
}

/** The amounts for an input; `null` while it is not a number. */
export function orderAmounts(typed: string, unit: 'money' | 'quantity', terms: Terms): OrderAmounts | null {
  const quantity = unit === 'money' ? quantityFor(typed, terms.price, terms.baseScale) : typed
  if (quantity === null) return null
  // The server computes the total from the quantity, so show that.
  const money = total(quantity, terms.price, terms.quoteScale)
  return money === null ? null : { quantity, money }
}

export type AmountProblem = 'zero' | 'below' | 'above' | 'remaining'

/** Why the amounts cannot be ordered, before the server refuses. */
export function amountProblem(deal: OrderAmounts, terms: Terms): AmountProblem | null {
  if (compare(deal.money, '0') !== 1) return 'zero'
  if (compare(deal.money, terms.orderMin) === -1) return 'below'
  if (compare(deal.money, terms.orderMax) === 1) return 'above'
  if (compare(deal.quantity, terms.remaining) === 1) return 'remaining'
  return null
}
