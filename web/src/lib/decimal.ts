/** A decimal amount or price as a plain string, never a float. */
export type Decimal = string

const PLAIN = /^-?\d+(\.\d+)?$/

/** Returns whether `value` is a complete decimal number in plain notation. */
export function isDecimal(value: string): value is `${number}` {
  return PLAIN.test(value)
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

/** The abbreviations, and the number of digits that they stand for. */
const UNITS = [
  ['B', 9],
  ['M', 6],
  ['K', 3],
] as const

/** Abbreviates with K, M and B in every language, because local units (123万) make prices hard to compare. */
export function abbreviate(value: Decimal, tag: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d+)\.?(\d*)$/.exec(value) ?? []
  const unit = UNITS.find(([, digits]) => whole.length > digits)
  if (unit === undefined) return format(value, tag, 2)
  const [letter, digits] = unit
  return `${format(`${sign}${whole.slice(0, -digits)}.${whole.slice(-digits)}${fraction}`, tag, 2)}${letter}`
}

/** Returns whether the input of an amount field has a minus sign, of any kind that keyboards have. */
export function hasMinus(typed: string): boolean {
  return /[-\u2010-\u2015\u2212\uff0d]/.test(typed)
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
