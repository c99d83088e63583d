import type { Decimal } from '@/lib/decimal'

/** Returns an amount in base units, such as `-1500000` with 6 decimals, as a decimal, such as `-1.5`. */
export function fromUnits(units: string, decimals: number): Decimal {
  const sign = units.startsWith('-') ? '-' : ''
  const digits = units.slice(sign.length).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}
