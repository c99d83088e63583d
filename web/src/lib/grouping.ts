/**
 * Separates groups of digits in inputs. A narrow space, because a comma and a dot both are decimal separators of some
 * keyboards.
 */
export const GROUP = '\u202f'

/** Groups the digits before the dot of an amount that may be half typed. */
export function group(value: string): string {
  const dot = value.indexOf('.')
  const whole = dot === -1 ? value : value.slice(0, dot)
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, GROUP)
  return dot === -1 ? grouped : grouped + value.slice(dot)
}

/**
 * Returns a pasted amount without the separators of its groups: `1,385.84`, `1.385,84` and `1,000,000`. Leaves out nothing else,
 * because in a single `1,385` the comma may be the decimal separator.
 */
export function ungroup(typed: string): string {
  const text = typed.trim()
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(text) || /^\d{1,3}(?:,\d{3}){2,}$/.test(text))
    return text.replaceAll(',', '')
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(text)) {
    return text.replaceAll('.', '').replace(',', '.')
  }
  return typed
}

const SIGNIFICANT = /[\d.]/

/** Returns how many digits and dots are before a position. */
export function significantBefore(text: string, position: number): number {
  return Array.from(text.slice(0, position)).filter((one) => SIGNIFICANT.test(one)).length
}

/** Returns the first position that has so many digits and dots before it. */
export function positionAfter(text: string, significant: number): number {
  let seen = 0
  for (let at = 0; at < text.length; at += 1) {
    if (seen === significant) return at
    if (SIGNIFICANT.test(text.charAt(at))) seen += 1
  }
  return text.length
}
