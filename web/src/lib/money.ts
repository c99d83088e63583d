import Big from 'big.js'

/** A decimal amount or price as a plain string, never a float. */
export type Decimal = string

Big.DP = 40
/** Always use plain notation: 0.00000001 must never become 1e-8. */
Big.NE = -60
Big.PE = 60

const PLAIN = /^-?\d+(\.\d+)?$/

/** Returns whether `value` is a complete decimal number in plain notation. */
export function isDecimal(value: string): value is `${number}` {
  return PLAIN.test(value)
}

/** Parses a decimal string. Returns `null` for anything else, such as a half-typed number or an empty field. */
export function parse(value: string | null | undefined): Big | null {
  if (value === null || value === undefined || !PLAIN.test(value)) return null
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

/**
 * Formats a decimal without converting it to a float: `Intl` takes the string and truncates.
 * @param tag BCP 47 language tag
 */
export function format(value: Decimal, tag: string, decimals = 8, minimum = 0): string {
  if (!isDecimal(value)) return value
  return new Intl.NumberFormat(tag, {
    maximumFractionDigits: decimals,
    minimumFractionDigits: minimum,
    roundingMode: 'trunc',
  }).format(value)
}

const UNITS = [
  ['B', '1000000000'],
  ['M', '1000000'],
  ['K', '1000'],
] as const

/** Abbreviates with K, M and B in every language, because local units (123万) make prices hard to compare. */
export function abbreviate(value: Decimal, tag: string): string {
  const read = parse(value)
  if (read === null) return value
  for (const [letter, size] of UNITS) {
    if (read.abs().gte(size)) {
      return `${format(read.div(size).round(2, Big.roundDown).toString(), tag, 2)}${letter}`
    }
  }
  return format(value, tag, 2)
}

/** Cleans the input of an amount field: digits and one dot, bounded parts, no leading zeros. */
export function cleanAmount(typed: string, decimals = 8, integerDigits = 8): string {
  // Decimal keyboards show the comma of their locale; Chinese keyboards also have full-width punctuation.
  const kept = typed.replace(/[,，。．]/g, '.').replace(/[^\d.]/g, '')
  const dot = kept.indexOf('.')
  const whole = (dot === -1 ? kept : kept.slice(0, dot)).replace(/^0+(?=\d)/, '').slice(0, integerDigits)
  if (dot === -1 || decimals === 0) return whole
  const fraction = kept
    .slice(dot + 1)
    .replaceAll('.', '')
    .slice(0, decimals)
  return `${whole === '' ? '0' : whole}.${fraction}`
}
