import { compare, type Decimal, min, multiply, quantityFor, subtract, total } from '@/lib/money'

/** The terms of an ad that bound one order. */
export interface Terms {
  price: Decimal
  remaining: Decimal
  orderMin: Decimal
  orderMax: Decimal
  /** The most decimals that one may type. */
  baseScale: number
  /** The decimals of the base unit, to which the server rounds the fee. */
  baseDecimals: number
  quoteScale: number
  feeRate: Decimal
  feeMinimum: Decimal
}

export interface Deal {
  quantity: Decimal
  money: Decimal
  fee: Decimal
  /** What arrives at the buyer's address. */
  arrives: Decimal
}

/** The most money that one order may be about: the ad's limit, or what remains at its price. */
export function largest(terms: Terms): Decimal {
  return min(terms.orderMax, total(terms.remaining, terms.price, terms.quoteScale) ?? terms.orderMax)
}

/** What typing `typed` of the chosen unit comes to; `null` while it is no number. */
export function dealFor(typed: string, unit: 'money' | 'quantity', terms: Terms): Deal | null {
  const quantity = unit === 'money' ? quantityFor(typed, terms.price, terms.baseScale) : typed
  if (quantity === null) return null
  // The server computes the total from the quantity, so that is what is shown.
  const money = total(quantity, terms.price, terms.quoteScale)
  const percentage = multiply(quantity, terms.feeRate, terms.baseDecimals)
  if (money === null || percentage === null) return null
  const fee = compare(percentage, terms.feeMinimum) === -1 ? terms.feeMinimum : percentage
  const arrives = subtract(quantity, fee)
  return arrives === null ? null : { quantity, money, fee, arrives }
}

export type Problem = 'zero' | 'below' | 'above' | 'remaining' | 'fee'

/** Why the deal cannot be ordered, before the server has to say it. */
export function problemOf(deal: Deal, terms: Terms): Problem | null {
  if (compare(deal.money, '0') !== 1) return 'zero'
  if (compare(deal.money, terms.orderMin) === -1) return 'below'
  if (compare(deal.money, terms.orderMax) === 1) return 'above'
  if (compare(deal.quantity, terms.remaining) === 1) return 'remaining'
  if (compare(deal.arrives, '0') !== 1) return 'fee'
  return null
}
