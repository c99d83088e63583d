import type { Advert, AdvertGroup, Deposit } from '../src/api/types.ts'
import { config } from './market.ts'
import { type Handlers, nextNumber, page } from './operation.ts'
import { bankCard } from './paymentMethods.ts'
import { ADDRESS, HASH, minutesFromNow } from './values.ts'

export function deposit(extra: Partial<Deposit> = {}): Deposit {
  return {
    address: ADDRESS.custody,
    chainId: 31337,
    asset: 'MEC',
    contract: null,
    decimals: 18,
    needed: '1000',
    received: '0',
    confirming: '0',
    shortfall: '1000',
    balance: '0',
    excess: '0',
    confirmations: null,
    transfers: [],
    deadline: minutesFromNow(27),
    ...extra,
  }
}

function advert(id: string, extra: Partial<Advert>): Advert {
  return {
    id,
    version: 1,
    state: 'ONLINE',
    frozen: false,
    side: 'SELL',
    kind: 'MANUAL',
    base: 'MEC',
    quote: 'USD',
    price: '0.4835',
    outsidePriceBand: false,
    quantity: '1000',
    remaining: '740',
    inOrders: '100',
    orderMin: '10',
    orderMax: '357.79',
    orderable: true,
    methods: [bankCard],
    receivingAddress: null,
    remark: null,
    windowMinutes: 30,
    runningOrders: 1,
    completedOrders: 3,
    completedQuantity: '160',
    turnover: '77.36',
    createdAt: minutesFromNow(-2880),
    endReason: null,
    takenDown: null,
    deposit: null,
    payouts: [],
    actions: ['offline', 'revoke'],
    revocation: [],
    serverTime: minutesFromNow(0),
    ...extra,
  }
}

/** What a revocation returns, with the network fee of the mock's coins. */
function returning(amount: string): Advert['revocation'] {
  return [
    { kind: 'PAYOUT', asset: 'MEC', amount, party: 'SELLER', address: ADDRESS.bound },
    { kind: 'NETWORK_FEE', asset: 'MEC', amount: '0.01', party: 'SELLER', address: null },
  ]
}

const IDLE = { inOrders: '0', runningOrders: 0 }
const NEW = { completedOrders: 0, completedQuantity: '0', turnover: '0' }
const CREATING = {
  ...IDLE,
  ...NEW,
  state: 'CREATING',
  remaining: '1000',
  actions: ['checkDeposit', 'cancel'],
} satisfies Partial<Advert>

export const adverts: Advert[] = [
  advert('ad-1', { revocation: returning('739.99') }),
  advert('ad-2', {
    ...CREATING,
    createdAt: minutesFromNow(-3),
    deposit: deposit(),
  }),
  advert('ad-3', {
    ...CREATING,
    quote: 'USDT',
    kind: 'AUTOMATIC',
    methods: [],
    receivingAddress: ADDRESS.receiving,
    createdAt: minutesFromNow(-6),
    deposit: deposit({
      received: '400',
      confirming: '350',
      shortfall: '250',
      balance: '120.5',
      confirmations: { seen: 1, needed: 3 },
      transfers: [
        { hash: HASH, amount: '350', confirmations: 1 },
        { hash: HASH.replace('8f', '1a'), amount: '400', confirmations: 9 },
      ],
    }),
  }),
  advert('ad-4', {
    state: 'OFFLINE',
    price: '0.4790',
    remaining: '55',
    ...IDLE,
    actions: ['online', 'revoke'],
    revocation: returning('54.99'),
  }),
  advert('ad-5', {
    state: 'REVOKING',
    remaining: '200',
    ...IDLE,
    actions: [],
    payouts: [
      {
        state: 'CONFIRMING',
        amount: '199.98',
        asset: 'MEC',
        to: ADDRESS.bound,
        hash: HASH,
        confirmations: { seen: 2, needed: 3 },
      },
    ],
  }),
  advert('ad-6', {
    state: 'CANCELLED',
    remaining: '0',
    ...IDLE,
    endReason: 'SOLD_OUT',
    actions: ['delete'],
  }),
]

export function groupOf({ state }: Advert): AdvertGroup | null {
  if (state === 'DELETED') return null
  return state === 'ONLINE' ? 'ONLINE' : state === 'CANCELLED' ? 'ENDED' : 'OFFLINE'
}

function find(id: string): Advert | undefined {
  const found = adverts.find((one) => one.id === id)
  return found && Object.assign(found, { serverTime: minutesFromNow(0) })
}

function move(id: string, change: Partial<Advert>): Advert | undefined {
  const found = find(id)
  return found && Object.assign(found, change)
}

export const handlers: Handlers = {
  'GET /c2c/advert/requirements': () => [],
  'GET /c2c/advert/price': ({ query }) => {
    const market = config.pairs.find(
      ({ base, quote }) => base === query.base && quote === query.quote,
    )?.lastPrice
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
  'GET /c2c/advert/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5000'),
  'POST /c2c/advert/create': ({ body }) => {
    const created: Advert = {
      ...advert(`ad-${nextNumber()}x`, {
        ...CREATING,
        createdAt: minutesFromNow(-3),
        deposit: deposit(),
      }),
      ...body,
      remark: body.remark ?? null,
      windowMinutes: 30,
    }
    adverts.unshift(created)
    return created
  },
  'POST /c2c/advert/cancel/{id}': ({ path, refuse }) =>
    move(path.id, { state: 'CANCELLED', actions: ['delete'], endReason: 'OWNER_CANCELLED' }) ??
    refuse('5000'),
  'POST /c2c/advert/deposit/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5000'),
  'POST /c2c/advert/switch/{id}': ({ path, body, refuse }) =>
    move(
      path.id,
      body.online
        ? { state: 'ONLINE', actions: ['offline', 'revoke'] }
        : { state: 'OFFLINE', actions: ['online', 'revoke'] },
    ) ?? refuse('5000'),
  'POST /c2c/advert/delete/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5000'),
}
