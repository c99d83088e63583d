import type { Prepaying } from '../src/api/nfts.ts'
import type { Advert, AdvertGroup, CreateAdvert, ViewedAdvert } from '../src/api/types.ts'
import { total } from '../src/lib/money.ts'
import { type AdvertExample, exampleAdvert } from './examples.ts'
import { config, hallAdvertOf } from './market.ts'
import { nft, ownedNfts } from './nfts.ts'
import { nftAdvert, nftAdverts, PREPAYMENT } from './nftTrades.ts'
import { type Handlers, nextNumber, page } from './operation.ts'
import { user } from './users.ts'
import { ADDRESS, minutesFromNow } from './values.ts'

const NAMES: Record<string, AdvertExample> = {
  'ad-1': 'online',
  'ad-2': 'creating',
  'ad-3': 'creating-with-part-of-the-deposit',
  'ad-4': 'offline-with-little-left',
  'ad-5': 'revoking',
  'ad-6': 'sold-out',
}

/** An automatic ad that buys, which the user has posted like the ads that are posted here. */
const BUYS: CreateAdvert = {
  side: 'BUY',
  kind: 'AUTOMATIC',
  base: 'MEC',
  quote: 'USDT',
  price: '0.48',
  quantity: '1000',
  orderMin: '10',
  orderMax: '480',
}

export const adverts: Advert[] = [
  ...Object.entries(NAMES).map(([id, name]) => exampleAdvert(name, id)),
  posted(BUYS, 'ad-7'),
  ...nftAdverts(),
]

export function groupOf({ state }: Advert): AdvertGroup | null {
  if (state === 'DELETED') return null
  return state === 'ONLINE' ? 'ONLINE' : state === 'CANCELLED' ? 'ENDED' : 'OFFLINE'
}

function find(id: string): Advert | undefined {
  const found = adverts.find((one) => one.id === id)
  return found && Object.assign(found, { serverTime: minutesFromNow(0) })
}

/** Makes an advert look like another example. */
function become(id: string, name: AdvertExample): Advert | undefined {
  const found = find(id)
  return found && Object.assign(found, exampleAdvert(name, id), { version: found.version + 1 })
}

/** Returns the ad that a user gets who has posted this. */
function posted(body: CreateAdvert, id: string): Advert {
  const { side, kind, base, quote, price } = body
  // An NFT is one of its kind, and the total of its order is its price.
  const quantity = body.quantity ?? '1'
  const [orderMin, orderMax] = [body.orderMin ?? price, body.orderMax ?? price]
  const fiat = body.paymentMethodIds !== undefined
  const terms = {
    side,
    kind,
    base,
    quote,
    price,
    quantity,
    orderMin,
    orderMax,
    remark: body.remark ?? null,
    takerRequirements: body.takerRequirements ?? {},
    windowMinutes: body.windowMinutes ?? pairOf(body)?.windowMinutes ?? 30,
    remaining: quantity,
    createdAt: minutesFromNow(0),
  }
  const creating = exampleAdvert('creating', id)
  const example: Advert = {
    ...creating,
    ...terms,
    methods: fiat ? creating.methods : [],
    receivingAddress: side === 'SELL' && !fiat ? user.receivingAddress : null,
  }
  if (side === 'BUY' && kind === 'MANUAL') {
    const state = user.online ? 'ONLINE' : 'OFFLINE'
    const actions = [user.online ? ('offline' as const) : ('online' as const), 'revoke' as const]
    return { ...example, state, actions, deposit: null }
  }
  const { deposit } = creating
  if (deposit === null) return example
  const asset = side === 'SELL' ? base : quote
  const coin = config.coins.find(({ enShort }) => enShort === asset)
  const needed = (side === 'SELL' ? null : total(quantity, price, coin?.assetScale ?? 0)) ?? quantity
  return {
    ...example,
    deposit: {
      ...deposit,
      asset,
      needed,
      shortfall: needed,
      decimals: coin?.decimals ?? deposit.decimals,
      contract: coin?.contract ?? null,
    },
  }
}

/** Returns the ad that a user gets who has posted an NFT; null for coins. One in custody needs no deposit. */
function postedNft({ base, quote, price, kind, nftId }: CreateAdvert, id: string): Advert | null {
  if (nftId == null) return null
  const terms = { price, quote, kind, orderMin: price, orderMax: price, createdAt: minutesFromNow(0) }
  const mine = ownedNfts.find((one) => one.nftId === nftId)
  return mine === undefined
    ? nftAdvert(exampleAdvert('creating', id), nft(nftId, 'PENDING', base), terms)
    : nftAdvert(exampleAdvert(user.online ? 'online' : 'offline', id), mine, terms)
}

/** Returns what the seller of an NFT prepays and lacks with a balance, and with coins that are being confirmed. */
export function prepaying(available: string, confirming = '0'): Prepaying {
  const { fee, gas } = PREPAYMENT
  const needed = Number(fee) + Number(gas)
  const short = Math.max(needed - Number(available), 0)
  const text = (amount: number) => amount.toFixed(8).replace(/\.?0+$/, '')
  return {
    ...PREPAYMENT,
    needed: text(needed),
    available,
    shortfall: text(short),
    confirming,
    toSend: text(Math.max(short - Number(confirming), 0)),
    address: ADDRESS.custody,
  }
}

function pairOf({ base, quote }: { base?: string | undefined; quote?: string | undefined }) {
  return config.pairs.find((one) => base === one.base && quote === one.quote)
}

/** Returns an ad of the user as the server shows it: as others see it, and what only its owner sees. */
export function viewedByOwner(own: Advert): ViewedAdvert {
  const example = hallAdvertOf('a-SELL-MEC-USD-0') ?? hallAdvertOf('a-SELL-ART-USDT-0')
  if (example === undefined) throw new Error('the hall has no example')
  const { id, version, side, kind, base, quote, price, remaining, orderMin, orderMax, remark } = own
  const { takerRequirements, chainType, windowMinutes, depositMinutes, nft } = own
  const methods = own.methods.map((method) => ({ id: method.id, type: method.type }))
  return {
    ...{ id, version, side, kind, base, quote, price, remaining, orderMin, orderMax, remark },
    ...{ takerRequirements, chainType, windowMinutes, depositMinutes, nft },
    methods,
    methodTypes: [...new Set(methods.map(({ type }) => type))],
    advertiser: { ...example.row.advertiser, id: user.id, nickname: user.nickname ?? '' },
    mine: true,
    missing: [],
    unmet: [],
    own,
  }
}

export const handlers: Handlers = {
  'GET /c2c/advert/requirements': () => [],
  'GET /c2c/advert/prepayment': ({ query }) => (pairOf(query)?.album == null ? null : prepaying('12.5')),
  'GET /c2c/advert/price': ({ query }) => {
    const market = pairOf(query)?.lastPrice
    const distance = market == null ? null : Number(query.price) / Number(market) - 1
    return {
      market: market ?? null,
      source: market == null ? null : 'LAST_TRADE',
      distance: distance === null ? null : distance.toFixed(6),
      far: distance !== null && Math.abs(distance) > 0.1,
      priceMin: null,
      priceMax: null,
      rank: distance !== null && distance > 0 ? 4 : 1,
      others: 11,
    }
  },
  'GET /c2c/advert/pageByUser': ({ query }) =>
    page(
      adverts.filter((one) => query.group === undefined || groupOf(one) === query.group),
      query,
    ),
  'GET /c2c/advert/groups': () => {
    const many = (group: AdvertGroup) => adverts.filter((one) => groupOf(one) === group).length
    return { online: many('ONLINE'), offline: many('OFFLINE'), ended: many('ENDED') }
  },
  'GET /c2c/advert/{id}': ({ path, refuse }) => {
    const own = find(path.id)
    if (own !== undefined) return viewedByOwner(own)
    const { row, missing, unmet } = hallAdvertOf(path.id) ?? refuse('5000')
    return row.mine
      ? viewedByOwner({ ...exampleAdvert('online', row.id), ...row, methods: [] })
      : { ...row, missing, unmet, own: null }
  },
  'POST /c2c/advert/create': ({ body }) => {
    const id = `ad-${nextNumber()}x`
    const created = postedNft(body, id) ?? posted(body, id)
    adverts.unshift(created)
    return created
  },
  'POST /c2c/advert/cancel/{id}': ({ path, refuse }) =>
    become(path.id, find(path.id)?.state === 'CREATING' ? 'cancelled' : 'revoking') ?? refuse('5000'),
  'POST /c2c/advert/deposit/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5000'),
  'POST /c2c/advert/switch/{id}': ({ path, body, refuse }) =>
    become(path.id, body.online ? 'online' : 'offline') ?? refuse('5000'),
  'POST /c2c/advert/delete/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5000'),
}
