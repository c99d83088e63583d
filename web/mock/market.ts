import type {
  Coin,
  CoinConfig,
  Country,
  MarketOverview,
  MarketStats,
  MatchBody,
  MatchedAdvert,
  Matches,
  Misfit,
  OrderPreview,
  Pair,
} from '../src/api/types.ts'
import { exampleHall, type HallExample } from './examples.ts'
import { albums } from './nfts.ts'
import { countTraits, filterNfts, nftHall } from './nftTrades.ts'
import { type Handlers, page } from './operation.ts'
import { ADDRESS } from './values.ts'

/** The types of payment methods that the product knows for a currency. */
const METHOD_TYPES: Record<string, string[]> = {
  USD: ['bankCard', 'bankTransfer', 'visaDirect', 'zelle', 'cashApp', 'exchange', 'other'],
  EUR: ['bankCard', 'bankTransfer', 'visaDirect', 'sepa', 'revolut', 'exchange', 'other'],
  VND: ['bankCard', 'bankTransfer', 'visaDirect', 'momo', 'zaloPay', 'viettelMoney', 'exchange', 'other'],
  CNY: ['bankCard', 'bankTransfer', 'alipay', 'wechat', 'exchange', 'other'],
}

function pair(base: string, quote: string, last: string, extra: Partial<Pair> = {}): Pair {
  const low = (Number(last) * 0.9).toFixed(4)
  const high = (Number(last) * 1.1).toFixed(4)
  return {
    base,
    quote,
    on: true,
    priceDecimals: 4,
    priceMin: low,
    priceMax: high,
    orderMin: '10',
    orderMax: '50000',
    feeRate: '0.001',
    feeMinimum: '0.01',
    automatic: false,
    automaticChainType: null,
    windowMinutes: 30,
    windowMinutesMin: 10,
    windowMinutesMax: 60,
    chainTypes: [],
    methodTypes: METHOD_TYPES[quote] ?? [],
    lastPrice: last,
    album: null,
    sides: ['SELL', 'BUY'],
    depositMinutes: 15,
    ...extra,
  }
}

/** A pair that trades the NFTs of an album. */
function album(base: string, quote: string, classId: string): Pair {
  const free = { priceMin: null, priceMax: null, priceDecimals: 2, feeRate: '0', feeMinimum: '0' }
  const swaps = quote === 'USDT' ? { automatic: true, chainTypes: ['ERC20'] } : {}
  return pair(base, quote, '118.5', { ...free, ...swaps, album: classId, sides: ['SELL'] })
}

const CONTRACTS: Record<string, string> = {
  USDT: ADDRESS.usdt,
  ...Object.fromEntries(albums.map(({ code, contract }) => [code, contract])),
}

function coin(enShort: string, kind: Coin['kind'], assetScale: number, decimals: number): Coin {
  const none = { chainId: null, returnGas: '0', dust: '0' }
  const whole = { chainId: 31337, returnGas: '0', dust: '0' }
  const chain =
    kind === 'fiat' ? none : kind === 'erc721' ? whole : { ...whole, returnGas: '0.01', dust: '0.5' }
  return { enShort, kind, assetScale, decimals, contract: CONTRACTS[enShort] ?? null, ...chain }
}

export const config: CoinConfig = {
  coins: [
    coin('MEC', 'native', 8, 18),
    coin('USDT', 'erc20', 6, 6),
    ...albums.map(({ code }) => coin(code, 'erc721', 0, 0)),
    coin('USD', 'fiat', 2, 2),
    coin('EUR', 'fiat', 2, 2),
    coin('VND', 'fiat', 0, 0),
    coin('CNY', 'fiat', 2, 2),
  ],
  pairs: [
    pair('MEC', 'USD', '0.4821'),
    pair('MEC', 'EUR', '0.4417'),
    pair('MEC', 'VND', '12250'),
    pair('MEC', 'USDT', '0.4818', { automatic: true, chainTypes: ['ERC20', 'TRC20'] }),
    pair('USDT', 'CNY', '7.24'),
    album('ART', 'USDT', 'mecha-gardens'),
    album('ART', 'USD', 'mecha-gardens'),
    album('TIDE', 'USDT', 'tide-lines'),
  ],
  escrowChain: { chainId: 31337, name: 'MEC chain', confirmations: 3 },
  remarkMax: 100,
  explorer: 'https://explorer.example',
  chains: [
    { chainType: 'ERC20', name: 'MEC chain (ERC20)', automatic: true, explorer: 'https://explorer.example' },
    { chainType: 'TRC20', name: 'Tron (TRC20)', automatic: false, explorer: null },
  ],
}

const countries: Country[] = [
  { code: 'ES', abb2: 'ES', name: 'Spain', regionId: 'eu', currency: 'USD', enabled: true },
  { code: 'VN', abb2: 'VN', name: 'Vietnam', regionId: 'as', currency: 'USD', enabled: true },
  { code: 'TR', abb2: 'TR', name: 'Türkiye', regionId: 'eu', currency: 'USD', enabled: true },
  { code: 'TH', abb2: 'TH', name: 'Thailand', regionId: 'as', currency: 'USD', enabled: true },
  { code: 'CN', abb2: 'CN', name: 'China', regionId: 'as', currency: 'USD', enabled: true },
  { code: 'KR', abb2: 'KR', name: 'South Korea', regionId: 'as', currency: 'KRW', enabled: true },
]

function lastPrice(base: string, quote: string): string {
  return config.pairs.find((one) => one.base === base && one.quote === quote)?.lastPrice ?? '1'
}

/** What is known of a pair that nobody has traded in the last 24 hours. */
function quiet(base: string, quote: string): MarketStats {
  const prices = { latest: null, high24h: null, low24h: null, average24h: null, changeToday: null }
  return { base, quote, ...prices, volume24h: '0', turnover24h: '0', spark: [] }
}

export function market(base: string, quote: string): MarketStats {
  if (base === 'TIDE') return quiet(base, quote)
  const latest = lastPrice(base, quote)
  const near = (factor: number) => (Number(latest) * factor).toFixed(4)
  return {
    base,
    quote,
    latest,
    high24h: near(1.021),
    low24h: near(0.987),
    average24h: near(1.002),
    volume24h: '1284310.5521',
    turnover24h: '619201.02',
    changeToday: '0.0124',
    spark: Array.from({ length: 24 }, (_, hour) => near(1 + Math.sin(hour / 3.1) * 0.011 + hour * 0.0006)),
  }
}

const hall: Record<string, HallExample[]> = {
  ...exampleHall(),
  'SELL-ART-USDT': nftHall('ART', 'USDT', 45),
  'SELL-ART-USD': nftHall('ART', 'USD', 4),
  'SELL-TIDE-USDT': nftHall('TIDE', 'USDT', 3),
}

/** The ads for NFTs of all albums that are paid in a quote. */
const nftsFor = (quote: string | undefined) =>
  albums.flatMap(({ code }) => hall[`SELL-${code}-${quote}`] ?? [])

const marketOf = (side: string | undefined, base: string | undefined, quote: string | undefined) =>
  hall[`${side === 'BUY' ? 'BUY' : 'SELL'}-${base}-${quote}`] ?? []

function overview(): MarketOverview {
  return {
    completedTrades: 12_408,
    pairs: config.pairs.slice(0, 4).map(({ base, quote, lastPrice: latest }, index) => {
      const adverts = index === 3 ? [] : marketOf('SELL', base, quote)
      const best = adverts.map(({ row: { id, price, remaining, advertiser } }) => ({
        id,
        price,
        remaining,
        advertiser,
      }))
      return { base, quote, latest, adverts: adverts.length, best: best[0] ?? null }
    }),
  }
}

export function hallAdvertOf(id: string): HallExample | undefined {
  const [, side, base, quote] = id.split('-')
  return marketOf(side, base, quote).find(({ row }) => row.id === id)
}

/** The preview of an order about an NFT, whose fee its seller has prepaid. */
function wholeNft(price: string): OrderPreview {
  const amounts = { price, quantity: '1', total: price, fee: '0', receives: '1' }
  return { ...amounts, outsidePriceBand: false, prefunding: null }
}

/** What the server answers about a trade: each ad with what it would bring, or why it doesn't fit. */
function matches(body: MatchBody): Matches {
  const wanted = body.methods ?? []
  const adverts = marketOf(body.side, body.base, body.quote).map(({ row: advert }): MatchedAdvert => {
    const price = Number(advert.price)
    const quantity = Number(body.quantity ?? Number(body.amount) / price)
    const [total, fee] = [quantity * price, Math.max(quantity * 0.001, 0.01)]
    const rules: readonly [Misfit, boolean][] = [
      ['BELOW_MINIMUM', total < Number(advert.orderMin)],
      ['ABOVE_MAXIMUM', total > Number(advert.orderMax)],
      ['METHOD', wanted.length > 0 && !advert.methodTypes.some((type) => wanted.includes(type))],
    ]
    return {
      advert,
      quantity: quantity.toFixed(8),
      total: total.toFixed(2),
      fee: fee.toFixed(8),
      receives: (quantity - fee).toFixed(8),
      outsidePriceBand: false,
      misfits: rules.filter(([, applies]) => applies).map(([misfit]) => misfit),
    }
  })
  const fits = (one: MatchedAdvert) => one.misfits.length === 0
  return {
    adverts: [...adverts.filter(fits), ...adverts.filter((one) => !fits(one))],
    missing: [],
    needsPaymentMethod: false,
  }
}

export const handlers: Handlers = {
  'GET /common/coin': () => config.coins,
  'GET /c2c/coin/config': () => config,
  'GET /common/country/all': () => countries,
  'GET /market/stats': ({ query }) => market(query.base ?? '', query.quote ?? ''),
  'GET /market/nft/average': () => ({ average24h: '118.737', trades24h: 12 }),
  'GET /market/overview': () => overview(),
  'GET /c2c/advert/page': ({ query }) => {
    const methods = Object.entries(query).flatMap(([key, value]) =>
      key.startsWith('methods[') ? [value] : [],
    )
    const amount = Number(query.amount ?? '0')
    const listed =
      query.base === undefined ? nftsFor(query.quote) : marketOf(query.side, query.base, query.quote)
    const found = listed
      .filter(({ unmet }) => query.requirementsMet !== 'true' || unmet.length === 0)
      .map(({ row }) => row)
    return page(
      (found.some((one) => one.nft !== null) ? filterNfts(found, query) : found).filter(
        (one) =>
          (methods.length === 0 || one.methodTypes.some((type) => methods.includes(type))) &&
          (query.certified !== 'true' || one.advertiser.certified) &&
          (query.fast !== 'true' || one.advertiser.fast) &&
          (amount === 0 || (amount >= Number(one.orderMin) && amount <= Number(one.orderMax))),
      ),
      query,
    )
  },
  'POST /c2c/advert/match': ({ body }) => matches(body),
  'GET /c2c/advert/traits': ({ query }) =>
    countTraits(marketOf('SELL', query.base, query.quote).map(({ row }) => row)),
  'GET /c2c/advert/{id}/preview': ({ path, query, refuse }) => {
    const { row: advert } = hallAdvertOf(path.id) ?? refuse('5000')
    if (advert.nft !== null) return wholeNft(advert.price)
    const quantity = Number(query.quantity ?? Number(query.total) / Number(advert.price))
    const fee = Math.max(quantity * 0.001, 0.01)
    if (fee >= quantity) refuse('5021')
    const total = quantity * Number(advert.price)
    const { orderMin: min, orderMax: max } = advert
    if (total < Number(min) || total > Number(max)) refuse('5009', { min, max })
    return {
      price: advert.price,
      quantity: quantity.toFixed(8),
      total: total.toFixed(2),
      fee: fee.toFixed(8),
      receives: (quantity - fee).toFixed(8),
      outsidePriceBand: false,
      prefunding: null,
    }
  },
}
