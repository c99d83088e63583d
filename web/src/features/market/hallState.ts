import { create } from 'zustand'
import type { AdvertSide, HallQuery } from '@/api/types'

export type Sort = NonNullable<HallQuery['sort']>

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

const START: HallFilter = {
  wish: 'BUY',
  base: '',
  quote: '',
  amount: '',
  method: '',
  region: '',
  certified: false,
  fast: false,
  sort: '',
}

export const useHall = create<HallFilter>(() => START)

export function filterHall(change: Partial<HallFilter>): void {
  useHall.setState(change)
}

/** The filters that narrow the list of the pair, unset. Sorting is not a filter. */
export const NO_FILTERS = { amount: '', method: '', region: '', certified: false, fast: false } as const

export function isFiltered({ amount, method, region, certified, fast }: HallFilter): boolean {
  return amount !== '' || method !== '' || region !== '' || certified || fast
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
