import { type NftSummary, nftOf, type OwnedNft, type PictureRefusal, type Prepaid } from '../src/api/nfts.ts'
import type { Advert, Deposit, Order } from '../src/api/types.ts'
import { exampleAdvert, exampleHall, exampleOrder, type HallExample, type OrderExample } from './examples.ts'
import { albums, keep, nft } from './nfts.ts'

/** An ad, order, fund record or conversation about an NFT. */
export type WithNft<T> = T & { nft: NftSummary; prepaid: Prepaid }

const PREPAID: Prepaid = { coin: 'MEC', fee: '2', gas: '0.4' }

/** The numbers in the hall whose pictures are not shown. */
const REFUSED: Record<number, PictureRefusal> = {
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
    const { row, missing } = like
    const price = (64 + index * 7.25).toFixed(2).replace(/\.?0+$/, '')
    const shown = keep(nft(`${200 + index * 13}`, REFUSED[index] ?? null, code))
    const terms = { base: code, quote, price, remaining: '1', orderMin: price, orderMax: price }
    const methods =
      fiat === undefined || quote === 'USDT' ? {} : { methods: fiat.methods, methodTypes: fiat.methodTypes }
    const about: WithNft<HallExample['row']> = {
      ...row,
      ...terms,
      ...methods,
      id: `a-SELL-${code}-${quote}-${index}`,
      kind: quote === 'USDT' && index % 2 === 0 ? 'AUTOMATIC' : 'MANUAL',
      remark: null,
      mine: index === 3 && quote === 'USDT',
      nft: shown,
      prepaid: PREPAID,
    }
    return [{ row: about, missing }]
  })
}

/** Returns an order about an NFT. */
export function nftOrder(name: OrderExample, id: string, one: NftSummary): WithNft<Order> {
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
  return { ...example, ...terms, payouts, nft: one, prepaid: PREPAID }
}

/** Returns the deposits of an ad for an NFT: the NFT itself, and what its seller prepays. */
function nftDeposits(like: Deposit, code: string, deposited: boolean): Deposit[] {
  const of = albums.find((one) => one.code === code)
  const whole = { received: '1', shortfall: '0', confirming: '0', transfers: [] }
  return [
    {
      ...like,
      ...(deposited ? whole : { received: '0', confirming: '0', shortfall: '1' }),
      asset: code,
      needed: '1',
      balance: '0',
      excess: '0',
      decimals: 0,
      contract: of?.contract ?? null,
    },
    {
      ...like,
      asset: 'MEC',
      needed: '2.4',
      received: '0',
      confirming: '0',
      shortfall: '2.4',
      excess: '0',
      balance: '12.5',
      contract: null,
      decimals: 18,
    },
  ]
}

/** Returns an ad of the user for an NFT, from one that sells coins. */
export function nftAdvert(like: Advert, one: NftSummary, extra: Partial<Advert> = {}): WithNft<Advert> {
  const base = albums.find(({ classId }) => classId === one.classId)?.code ?? 'ART'
  const terms = { base, quantity: '1', remaining: '1', orderMin: '118.5', orderMax: '118.5', price: '118.5' }
  const { deposit } = like
  const found: WithNft<Advert> = {
    ...like,
    quote: 'USDT',
    side: 'SELL',
    ...terms,
    ...extra,
    nft: one,
    prepaid: PREPAID,
  }
  if (deposit === null) return found
  const inCustody = 'state' in one && (one as OwnedNft).state === 'AVAILABLE'
  return Object.assign(found, { deposit: null, deposits: nftDeposits(deposit, base, inCustody) })
}

/** The ads of the user for NFTs. */
export function nftAdverts(): Advert[] {
  const online = nftAdvert(exampleAdvert('online', 'ad-9'), nft('34'), { kind: 'AUTOMATIC' })
  const creating = nftAdvert(exampleAdvert('creating', 'ad-10'), keep(nft('610')))
  const ready = nftAdvert(exampleAdvert('creating', 'ad-11'), {
    ...keep(nft('611')),
    state: 'AVAILABLE',
  } as OwnedNft)
  return [online, creating, ready]
}

/** Returns the NFT of an order in the hall. */
export function orderedNft(order: HallExample | undefined): NftSummary | null {
  return order === undefined ? null : nftOf(order.row)
}
