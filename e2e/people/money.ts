import { units } from '../environment/chain.ts'

/** The decimals of MEC, which has the most. Amounts here are decimal strings such as `-0.5`, of any coin. */
const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)

/** Converts an amount, which may be negative, to base units. */
export function signedUnits(amount: string, decimals: 18 | 6): bigint {
  const size = units(amount.replace('-', ''), decimals)
  return amount.startsWith('-') ? -size : size
}

function read(amount: string): bigint {
  return signedUnits(amount, DECIMALS)
}

function write(amount: bigint): string {
  return amount < 0n ? `-${decimal(-amount, DECIMALS)}` : decimal(amount, DECIMALS)
}

/** Writes an amount in base units as the API does: the inverse of `units`. */
export function decimal(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return `${digits.slice(0, at)}.${digits.slice(at)}`.replace(/\.?0+$/, '')
}

export function sum(amounts: readonly string[]): string {
  return write(amounts.reduce((total, one) => total + read(one), 0n))
}

export function minus(amount: string, less: string): string {
  return write(read(amount) - read(less))
}

/** Multiplies amounts whose product has no more decimals than an amount. */
export function times(amount: string, factor: string): string {
  return write((read(amount) * read(factor)) / ONE)
}

/** Returns the fee of a trade of coins: 0.1 percent of the base. */
export function feeOf(quantity: string): string {
  return times(quantity, '0.001')
}
