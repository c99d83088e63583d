import type { AlbumTrait, MetadataFault, Nft, Prepayment } from '../src/api/nfts.ts'
import type { Advert, Order } from '../src/api/types.ts'
import { exampleAdvert, exampleHall, exampleOrder, type HallExample, type OrderExample } from './examples.ts'
import { albums, keep, nft, traitsOf } from './nfts.ts'

export const PREPAYMENT: Prepayment = { asset: 'MEC', fee: '2', gas: '0.4' }

/** The numbers in the hall whose pictures are not shown. */
const REFUSED: Record<number, MetadataFault> = {
  5: 'PENDING',
  9: 'HTML',
  14: 'TOO_LARGE',
  19: 'UNREACHABLE',
}

/** Returns the ads that offer NFTs of an album, cheapest first. */
export function nftHall(code: string, quote: string, count: number): HallExample[] {
  const traders = exampleHall()['SELL-MEC-USDT'] ?? []
  const fiat = exampleHall()[`SELL-MEC-${quote}`]?.[0]?.row
  return Array.from({ length: count }).flatMap((_, index) => {
    const like = traders.at(index % traders.length)
    if (like === undefined) return []
    const { row, missing, unmet } = like
    const price = (64 + index * 7.25).toFixed(2).replace(/\.?0+$/, '')
    const shown = keep(nft(`${200 + index * 13}`, REFUSED[index] ?? null, code))
    const terms = { base: code, quote, price, remaining: '1', orderMin: price, orderMax: price }
    const methods =
      fiat === undefined || quote === 'USDT' ? {} : { methods: fiat.methods, methodTypes: fiat.methodTypes }
    const about: HallExample['row'] = {
      ...row,
      ...terms,
      ...methods,
      id: `a-SELL-${code}-${quote}-${index}`,
      kind: quote === 'USDT' && index % 2 === 0 ? 'AUTOMATIC' : 'MANUAL',
      remark: null,
      mine: index === 3 && quote === 'USDT',
      nft: shown,
    }
    return [{ row: about, missing, unmet }]
  })
}

/** Returns the ads for NFTs that pass the filters of a query, in its order. */
export function filterNfts(
  adverts: readonly HallExample['row'][],
  query: Partial<Record<'priceMin' | 'priceMax' | 'sort' | `traits[${number}].${'name' | 'value'}`, string>>,
): HallExample['row'][] {
  const wanted = new Map<string, string[]>()
  for (let at = 0; query[`traits[${at}].name`] !== undefined; at += 1) {
    const [name = '', value = ''] = [query[`traits[${at}].name`], query[`traits[${at}].value`]]
    wanted.set(name, [...(wanted.get(name) ?? []), value])
  }
  const { priceMin = '0', priceMax = 'Infinity', sort } = query
  const [least, most] = [Number(priceMin), Number(priceMax)]
  const found = adverts.filter(({ nft: one, price }) => {
    const traits = one === null ? [] : traitsOf(one)
    const has = ([name, values]: [string, string[]]) =>
      traits.some((trait) => trait.name === name && values.includes(trait.value))
    return Number(price) >= least && Number(price) <= most && [...wanted].every(has)
  })
  const cheapest = found.toSorted((a, b) => Number(a.price) - Number(b.price))
  if (sort === 'newest') return found.toReversed()
  return sort === '-price' ? cheapest.toReversed() : cheapest
}

/** Returns the traits of the NFTs that ads sell, those that most have first. */
export function countTraits(adverts: readonly HallExample['row'][]): AlbumTrait[] {
  const counts = new Map<string, Map<string, number>>()
  for (const { name, value } of adverts.flatMap(({ nft: one }) => (one === null ? [] : traitsOf(one)))) {
    const values = counts.get(name) ?? new Map<string, number>()
    counts.set(name, values.set(value, (values.get(value) ?? 0) + 1))
  }
  return Array.from(counts, ([name, values]) => ({
    name,
    values: Array.from(values, ([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count),
    others: 0,
  }))
}

/** Returns an order about an NFT. */
export function nftOrder(name: OrderExample, id: string, one: Nft): Order {
  const of = albums.find(({ classId }) => classId === one.classId)
  const base = of?.code ?? 'ART'
  const terms = {
    base,
    quantity: '1',
    price: '118.5',
    total: '118.5',
    fee: '2',
    feeAsset: 'MEC',
    receives: '1',
  }
  const example = exampleOrder(name, id)
  const payouts = example.payouts.map((payout) => ({ ...payout, asset: base, amount: '1' }))
  return { ...example, ...terms, payouts, nft: one, prepayment: PREPAYMENT }
}

/** Returns an ad of the user for an NFT, from one that sells coins. One that is being created waits for the NFT. */
export function nftAdvert(like: Advert, one: Nft, extra: Partial<Advert> = {}): Advert {
  const album = albums.find(({ classId }) => classId === one.classId)
  const base = album?.code ?? 'ART'
  const terms = { base, quantity: '1', remaining: '1', orderMin: '118.5', orderMax: '118.5', price: '118.5' }
  const arrives = { needed: '1', received: '0', confirming: '0', shortfall: '1', excess: '0', balance: '0' }
  const deposit = like.deposit && {
    ...like.deposit,
    ...arrives,
    asset: base,
    decimals: 0,
    contract: album?.contract ?? null,
    transfers: [],
  }
  return {
    ...like,
    quote: 'USDT',
    side: 'SELL',
    ...terms,
    deposit,
    ...extra,
    nft: one,
    prepayment: PREPAYMENT,
  }
}

/** The ads of the user for NFTs. */
export function nftAdverts(): Advert[] {
  return [
    nftAdvert(exampleAdvert('online', 'ad-9'), nft('34'), { kind: 'AUTOMATIC' }),
    nftAdvert(exampleAdvert('creating', 'ad-10'), keep(nft('610'))),
    nftAdvert(exampleAdvert('online', 'ad-11'), keep(nft('611'))),
  ]
}

/** Returns the NFT of an order in the hall. */
export function orderedNft(order: HallExample | undefined): Nft | null {
  return order === undefined ? null : order.row.nft
}
