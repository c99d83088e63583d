import { create } from 'zustand'
import type { AdvertSide, HallQuery, Pair } from '@/api/types'
import { cleanAmount } from '@/lib/decimal'
import { compare } from '@/lib/money'
import { currentLocation, navigate } from '@/navigation/location'
import { hrefTo, type Query } from '@/navigation/navigation'

export type Sort = NonNullable<HallQuery['sort']>

/** The orders of coins, and of NFTs, each of which has the quantity 1. */
const COIN_SORTS: readonly Sort[] = ['price', '-price', 'quantity', '-quantity']
const NFT_SORTS: readonly Sort[] = ['price', '-price', 'newest']

/** The number of digits before the decimal point, as in the order form, which receives the amount. */
export const INTEGER_DIGITS = 12

/** The name and the value of a trait of an NFT. */
export type Trait = readonly [name: string, value: string]

/** The maximum number of traits in a query. */
export const MAX_TRAITS = 30

/** The filters of the hall. `wish` is the visitor's side: `BUY` lists ads of sellers, and so does `NFT`. */
export interface HallFilter {
  wish: 'BUY' | 'SELL' | 'NFT'
  /** Empty for the NFTs of all albums. */
  base: string
  quote: string
  amount: string
  /** Types of payment methods of which an ad must offer one; empty for any. */
  methods: readonly string[]
  region: string
  certified: boolean
  fast: boolean
  /** Whether to leave out ads whose requirements the user does not meet. */
  requirementsMet: boolean
  priceMin: string
  priceMax: string
  traits: readonly Trait[]
  sort: Sort | ''
}

/** The filters that narrow the list of the pair, unset. Sorting is not a filter. */
export const NO_FILTERS = {
  amount: '',
  methods: [],
  region: '',
  certified: false,
  fast: false,
  requirementsMet: false,
  priceMin: '',
  priceMax: '',
  traits: [],
} as const

export const START: HallFilter = { wish: 'BUY', base: '', quote: '', ...NO_FILTERS, sort: '' }

/** The filters that were last chosen; without a quote until one is chosen. Show those of `settled`. */
export const useHall = create<HallFilter>(() => START)

/** Returns the query parameters of an address that keeps the filters, for `/` and `/filters`. */
export function hallAddress(filter: HallFilter): Query {
  return {
    base: filter.base,
    quote: filter.quote,
    wish: filter.wish === 'BUY' ? '' : filter.wish,
    amount: filter.amount,
    methods: filter.methods.join(),
    region: filter.region,
    certified: filter.certified ? 'true' : '',
    fast: filter.fast ? 'true' : '',
    requirementsMet: filter.requirementsMet ? 'true' : '',
    priceMin: filter.priceMin,
    priceMax: filter.priceMax,
    traits: filter.traits.length === 0 ? '' : JSON.stringify(filter.traits),
    sort: filter.sort,
  }
}

/** Returns the traits of an address. What are no traits is left out. */
function readTraits(text: string): Trait[] {
  try {
    const read: unknown = JSON.parse(text)
    const listed: unknown[] = Array.isArray(read) ? read : []
    return listed
      .flatMap((one): Trait[] => {
        const [name, value]: unknown[] = Array.isArray(one) ? one : []
        return typeof name === 'string' && typeof value === 'string' ? [[name, value]] : []
      })
      .slice(0, MAX_TRAITS)
  } catch {
    return []
  }
}

/** Returns the filters of an address, or null if it names no pair. What makes no sense is left out. */
export function readHall(address: string): HallFilter | null {
  const query = new URLSearchParams(address.split('?')[1])
  const text = (name: string) => query.get(name) ?? ''
  const amount = (name: string) => cleanAmount(text(name), 8, INTEGER_DIGITS).replace(/\.$/, '')
  const [base, quote, region, wish] = [text('base'), text('quote'), text('region'), text('wish')]
  if (quote === '' || (base === '' && wish !== 'NFT')) return null
  const [priceMin, priceMax] = [amount('priceMin'), amount('priceMax')]
  return {
    wish: wish === 'SELL' || wish === 'NFT' ? wish : 'BUY',
    base,
    quote,
    amount: amount('amount'),
    methods: text('methods').split(',').filter(Boolean),
    region: /^[A-Z]{2}$/.test(region) ? region : '',
    certified: text('certified') === 'true',
    fast: text('fast') === 'true',
    requirementsMet: text('requirementsMet') === 'true',
    priceMin,
    priceMax: isRange(priceMin, priceMax) ? priceMax : '',
    traits: readTraits(text('traits')),
    sort: [...COIN_SORTS, ...NFT_SORTS].find((one) => one === text('sort')) ?? '',
  }
}

/** Returns whether prices can be in a range, of which each bound may be empty. */
export function isRange(min: string, max: string): boolean {
  return min === '' || max === '' || compare(min, max) !== 1
}

/** Returns the types of payment methods of a pair, or of all pairs of albums with the quote. */
export function methodTypes(
  { base, quote }: Pick<HallFilter, 'base' | 'quote'>,
  pairs: readonly Pair[],
): string[] {
  const listed = pairs.filter(
    (one) => one.quote === quote && (base === '' ? one.album !== null : one.base === base),
  )
  return Array.from(new Set(listed.flatMap((one) => one.methodTypes)))
}

function offeredMethods(
  { methods }: HallFilter,
  pair: Pick<HallFilter, 'base' | 'quote'>,
  pairs: readonly Pair[],
): string[] {
  return methodTypes(pair, pairs).filter((one) => methods.includes(one))
}

function offeredSort(sort: HallFilter['sort'], offered: readonly Sort[]): HallFilter['sort'] {
  return offered.find((one) => one === sort) ?? ''
}

/**
 * Returns the filters for a pair that exists: the first one instead of an unknown one, and without what belonged to that. Only the
 * filters and orders that the section offers stay, whichever the address contains.
 */
export function settled(filter: HallFilter, pairs: readonly Pair[]): HallFilter {
  const named = pairs.find((one) => one.base === filter.base && one.quote === filter.quote)
  const albums = pairs.filter((one) => one.album !== null)
  const [album] = albums
  if (album !== undefined && (filter.wish === 'NFT' || named?.album != null)) {
    const known = albums.some((one) => one.quote === filter.quote)
    const of = named?.album == null ? '' : named.base
    const quote = known ? filter.quote : album.quote
    return {
      ...filter,
      wish: 'NFT',
      base: of,
      quote,
      amount: '',
      methods: offeredMethods(filter, { base: of, quote }, pairs),
      ...(known ? {} : { priceMin: '', priceMax: '' }),
      traits: of === '' ? [] : filter.traits,
      sort: offeredSort(filter.sort, NFT_SORTS),
    }
  }
  const pair = named ?? pairs.find((one) => one.album === null)
  if (pair === undefined) return { ...filter, base: '', quote: '' }
  return {
    ...filter,
    ...(named === undefined ? { amount: '' } : {}),
    wish: filter.wish === 'NFT' ? 'BUY' : filter.wish,
    base: pair.base,
    quote: pair.quote,
    methods: offeredMethods(filter, pair, pairs),
    priceMin: '',
    priceMax: '',
    traits: [],
    sort: offeredSort(filter.sort, COIN_SORTS),
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
  else if (useHall.getState().quote !== '') filterHall(useHall.getState())
}

export function isFiltered(filter: HallFilter): boolean {
  const { amount, methods, region, certified, fast, requirementsMet, priceMin, priceMax, traits } = filter
  const texts = [amount, region, priceMin, priceMax, filter.wish === 'NFT' ? filter.base : '']
  const chosen = [certified, fast, requirementsMet, methods.length > 0, traits.length > 0]
  return texts.some((one) => one !== '') || chosen.some(Boolean)
}

/** Returns the filters without what narrows the list: for NFTs, without the album too. */
export function unfiltered(filter: HallFilter): HallFilter {
  return { ...filter, ...NO_FILTERS, base: filter.wish === 'NFT' ? '' : filter.base }
}

/** Returns how many of the choices on `/filters` are in effect, which the hall does not show on a phone. */
export function countHidden(filter: HallFilter): number {
  const { methods, region, certified, fast, requirementsMet, sort } = filter
  return [methods.length > 0, region !== '', certified, fast, requirementsMet, sort !== ''].filter(Boolean)
    .length
}

/** Returns the side of the ads that match a wish. */
export function sideFor(wish: HallFilter['wish']): AdvertSide {
  return wish === 'SELL' ? 'BUY' : 'SELL'
}

/** Returns the order with the best price first: lowest for buyers, highest for sellers. */
export function defaultSort(wish: HallFilter['wish']): Sort {
  return wish === 'SELL' ? '-price' : 'price'
}

/** Returns the query parameters for the API, without empty ones. */
export function hallQuery(filter: HallFilter, page: number, size: number): HallQuery {
  return {
    side: sideFor(filter.wish),
    ...(filter.base === '' ? {} : { base: filter.base }),
    quote: filter.quote,
    ...(filter.amount === '' ? {} : { amount: filter.amount }),
    ...(filter.methods.length === 0 ? {} : { methods: [...filter.methods] }),
    ...(filter.region === '' ? {} : { region: filter.region }),
    ...(filter.certified ? { certified: true } : {}),
    ...(filter.fast ? { fast: true } : {}),
    ...(filter.requirementsMet ? { requirementsMet: true } : {}),
    ...(filter.priceMin === '' ? {} : { priceMin: filter.priceMin }),
    ...(filter.priceMax === '' ? {} : { priceMax: filter.priceMax }),
    ...(filter.traits.length === 0
      ? {}
      : { traits: filter.traits.map(([name, value]) => ({ name, value })) }),
    sort: filter.sort === '' ? defaultSort(filter.wish) : filter.sort,
    page,
    size,
  }
}
