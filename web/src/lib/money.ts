import Big from 'big.js'
import { type Decimal, isDecimal } from './decimal.ts'

Big.DP = 40
/** Always use plain notation: 0.00000001 must never become 1e-8. */
Big.NE = -60
Big.PE = 60

/** Parses a decimal string. Returns `null` for anything else, such as a half-typed number or an empty field. */
export function parse(value: string | null | undefined): Big | null {
  if (value === null || value === undefined || !isDecimal(value)) return null
  return new Big(value)
}

/** Truncates to `decimals` digits. Screens never round money up. */
export function truncate(value: Decimal, decimals = 8): Decimal {
  const read = parse(value)
  return read === null ? value : read.round(decimals, Big.roundDown).toString()
}

/** Returns `quantity × price`, rounded down to the quote's base unit, like the server. */
export function total(quantity: Decimal, price: Decimal, quoteDecimals: number): Decimal | null {
  const q = parse(quantity)
  const p = parse(price)
  return q === null || p === null ? null : q.times(p).round(quoteDecimals, Big.roundDown).toString()
}

/**
 * Returns how much of the base a total buys, rounded up to the base's scale. The server rounds the total of this
 * quantity down, which results in exactly the amount entered.
 */
export function quantityFor(money: Decimal, price: Decimal, baseDecimals: number): Decimal | null {
  const m = parse(money)
  const p = parse(price)
  if (m === null || p === null || p.lte(0)) return null
  return m.div(p).round(baseDecimals, Big.roundUp).toString()
}

export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 | null {
  const x = parse(a)
  const y = parse(b)
  return x === null || y === null ? null : x.cmp(y)
}

export function subtract(a: Decimal, b: Decimal): Decimal | null {
  const x = parse(a)
  const y = parse(b)
  return x === null || y === null ? null : x.minus(y).toString()
}

export function add(a: Decimal, b: Decimal): Decimal | null {
  const x = parse(a)
  const y = parse(b)
  return x === null || y === null ? null : x.plus(y).toString()
}

export function min(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) === 1 ? b : a
}
