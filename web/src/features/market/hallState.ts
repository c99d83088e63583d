import { create } from 'zustand'
import type { AdvertSide, HallQuery, Pair } from '@/api/types'
import { cleanAmount } from '@/lib/money'
import { currentLocation, navigate } from '@/navigation/location'
import { hrefTo, type Query } from '@/navigation/navigation'

export type Sort = NonNullable<HallQuery['sort']>

const SORTS: readonly Sort[] = ['price', '-price', 'quantity', '-quantity']

/** The number of digits before the decimal point, as in the order form, which receives the amount. */
export const INTEGER_DIGITS = 12

/** The filters of the hall. `wish` is the visitor's side: `BUY` lists ads of sellers. */
export interface HallFilter {
  wish: 'BUY' | 'SELL'
  base: string
  quote: string
  amount: string
  method: string
  region: string
  certified: boolean
  fast: boolean
  sort: Sort | ''
}

/** The filters that narrow the list of the pair, unset. Sorting is not a filter. */
export const NO_FILTERS = {
  amount: '',
  method: '',
  region: '',
  certified: false,
  fast: false,
} as const

export const START: HallFilter = { wish: 'BUY', base: '', quote: '', ...NO_FILTERS, sort: '' }

/** The filters that were last chosen; without a pair until one is chosen. Show those of `settled`. */
export const useHall = create<HallFilter>(() => START)

/** Returns the query parameters of an address that keeps the filters, for `/` and `/filters`. */
export function hallAddress(filter: HallFilter): Query {
  return {
    base: filter.base,
    quote: filter.quote,
    wish: filter.wish === 'SELL' ? 'SELL' : '',
    amount: filter.amount,
    method: filter.method,
    region: filter.region,
    certified: filter.certified ? 'true' : '',
    fast: filter.fast ? 'true' : '',
    sort: filter.sort,
  }
}

/** Returns the filters of an address, or null if it names no pair. What makes no sense is left out. */
export function readHall(address: string): HallFilter | null {
  const query = new URLSearchParams(address.split('?')[1])
  const text = (name: string) => query.get(name) ?? ''
  const [base, quote, region] = [text('base'), text('quote'), text('region')]
  if (base === '' || quote === '') return null
  return {
    wish: text('wish') === 'SELL' ? 'SELL' : 'BUY',
    base,
    quote,
    amount: cleanAmount(text('amount'), 8, INTEGER_DIGITS).replace(/\.$/, ''),
    method: text('method'),
    region: /^[A-Z]{2}$/.test(region) ? region : '',
    certified: text('certified') === 'true',
    fast: text('fast') === 'true',
    sort: SORTS.find((one) => one === text('sort')) ?? '',
  }
}

/** Returns the filters for a pair that exists: the first one instead of an unknown one, and without what belonged to that. */
export function settled(filter: HallFilter, pairs: readonly Pair[]): HallFilter {
  const known = pairs.find((one) => one.base === filter.base && one.quote === filter.quote)
  const pair = known ?? pairs[0]
  if (pair === undefined) return { ...filter, base: '', quote: '' }
  return {
    ...filter,
    // NFTs are only sold.
    ...(pair.album === null ? {} : { wish: 'BUY' as const }),
    base: pair.base,
    quote: pair.quote,
    ...(known === undefined ? { amount: '' } : {}),
    method: pair.methodTypes.includes(filter.method) ? filter.method : '',
  }
}

/** Changes the filters of the hall, and its address with them; not while the user is leaving for another page. */
export function filterHall(filter: HallFilter): void {
  if (currentLocation().pathname !== '/') return
  useHall.setState(filter)
  navigate(hrefTo('/', hallAddress(filter)), true)
}

/** Takes the filters from the address of the hall. One without filters gets those that were last chosen. */
export function followAddress(address: string): void {
  const asked = readHall(address)
  if (asked !== null) useHall.setState(asked)
  else if (useHall.getState().base !== '') filterHall(useHall.getState())
}

export function isFiltered(filter: HallFilter): boolean {
  const { amount, method, region, certified, fast } = filter
  return [amount, method, region].some((one) => one !== '') || certified || fast
}

/** Returns how many of the choices on `/filters` are in effect, which the hall does not show on a phone. */
export function countHidden({ method, region, certified, fast, sort }: HallFilter): number {
  return [method !== '', region !== '', certified, fast, sort !== ''].filter(Boolean).length
}

/** Returns the side of the ads that match a wish. */
export function sideFor(wish: HallFilter['wish']): AdvertSide {
  return wish === 'BUY' ? 'SELL' : 'BUY'
}

/** Returns the order with the best price first: lowest for buyers, highest for sellers. */
export function defaultSort(wish: HallFilter['wish']): Sort {
  return wish === 'BUY' ? 'price' : '-price'
}

/** Returns the query parameters for the API, without empty ones. */
export function hallQuery(filter: HallFilter, page: number, size: number): HallQuery {
  return {
    side: sideFor(filter.wish),
    base: filter.base,
    quote: filter.quote,
    ...(filter.amount === '' ? {} : { amount: filter.amount }),
    ...(filter.method === '' ? {} : { method: filter.method }),
    ...(filter.region === '' ? {} : { region: filter.region }),
    ...(filter.certified ? { certified: true } : {}),
    ...(filter.fast ? { fast: true } : {}),
    sort: filter.sort === '' ? defaultSort(filter.wish) : filter.sort,
    page,
    size,
  }
}
