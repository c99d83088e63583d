import { compare, type Decimal, min, quantityFor, total } from '@/lib/money'

/** The terms of an ad that limit an order. */
export interface Terms {
  price: Decimal
  remaining: Decimal
  orderMin: Decimal
  orderMax: Decimal
  /** The number of decimals that users may type. */
  baseScale: number
  quoteScale: number
}

export interface OrderAmounts {
  quantity: Decimal
  money: Decimal
}

/** Returns the largest total of an order: the ad's limit or its remaining quantity, whichever is smaller. */
export function maxOrderTotal(terms: Terms): Decimal {
  return min(terms.orderMax, total(terms.remaining, terms.price, terms.quoteScale) ?? terms.orderMax)
}

/** Returns the amounts for an input, or `null` while it is not a number. */
export function orderAmounts(typed: string, unit: 'money' | 'quantity', terms: Terms): OrderAmounts | null {
  const quantity = unit === 'money' ? quantityFor(typed, terms.price, terms.baseScale) : typed
  if (quantity === null) return null
  // The server computes the total from the quantity, so show the same total.
  const money = total(quantity, terms.price, terms.quoteScale)
  return money === null ? null : { quantity, money }
}

export type AmountProblem = 'zero' | 'below' | 'above' | 'remaining'

/** Returns the reason why the server would refuse the amounts, if any. */
export function amountProblem(deal: OrderAmounts, terms: Terms): AmountProblem | null {
  if (compare(deal.money, '0') !== 1) return 'zero'
  if (compare(deal.money, terms.orderMin) === -1) return 'below'
  if (compare(deal.money, terms.orderMax) === 1) return 'above'
  if (compare(deal.quantity, terms.remaining) === 1) return 'remaining'
  return null
}
