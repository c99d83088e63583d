import { abbreviate, type Decimal, format, isDecimal } from '@/lib/decimal'
import { useLanguageStore } from './catalogs'
import type { Language } from './languages'

export interface Formats {
  /** Formats an exact amount, truncated, in the digits of the language. */
  amount: (value: Decimal, decimals?: number) => string
  /** Formats an amount with fixed decimals, for fiat. */
  money: (value: Decimal, decimals: number) => string
  /** Abbreviates an amount with K, M or B. */
  short: (value: Decimal) => string
  /** Formats a ratio such as 0.986 as 98.6 %. */
  percent: (ratio: Decimal) => string
  /** Formats hundredths of a percent as a percentage with all of its decimals. */
  basisPoints: (points: number) => string
  count: (value: number) => string
  /** Formats date and time, to the minute. */
  time: (iso: string) => string
  /** Formats the time of day with seconds, for the steps of an order. */
  clock: (iso: string) => string
  /** Formats the time of day, to the minute. */
  minute: (iso: string) => string
  day: (iso: string) => string
}

function build(tag: string, dateTag: string): Formats {
  const date = (iso: string, options: Intl.DateTimeFormatOptions) => {
    const at = new Date(iso)
    return Number.isNaN(at.getTime()) ? iso : new Intl.DateTimeFormat(dateTag, options).format(at)
  }
  return {
    amount: (value, decimals = 8) => format(value, tag, decimals),
    money: (value, decimals) => format(value, tag, decimals, decimals),
    short: (value) => abbreviate(value, tag),
    percent: (ratio) =>
      isDecimal(ratio)
        ? new Intl.NumberFormat(tag, {
            style: 'percent',
            maximumFractionDigits: 1,
            roundingMode: 'trunc',
          }).format(ratio)
        : ratio,
    basisPoints: (points) =>
      new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 }).format(points / 10_000),
    count: (value) => new Intl.NumberFormat(tag).format(value),
    time: (iso) => date(iso, { dateStyle: 'medium', timeStyle: 'short' }),
    clock: (iso) => date(iso, { timeStyle: 'medium' }),
    minute: (iso) => date(iso, { timeStyle: 'short' }),
    day: (iso) => date(iso, { dateStyle: 'medium' }),
  }
}

const cache = new Map<string, Formats>()

/** Returns the number and date formats of a language. */
export function formatsOf(language: Language): Formats {
  const known = cache.get(language.tag)
  if (known !== undefined) return known
  const made = build(language.tag, language.dateTag)
  cache.set(language.tag, made)
  return made
}

/** Returns the number and date formats of the current language. */
export function useFormats(): Formats {
  return formatsOf(useLanguageStore((state) => state.language))
}
