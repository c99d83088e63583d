import type { Nft } from '../src/api/nfts.ts'
import type { Balance, BalanceLine, FundRecord } from '../src/api/types.ts'
import { adverts } from './adverts.ts'
import { nft } from './nfts.ts'
import { type Handlers, page } from './operation.ts'
import { orders } from './orders.ts'
import { ADDRESS, HASH, minutesFromNow } from './values.ts'

function line(asset: string, extra: Partial<BalanceLine>): BalanceLine {
  const held = { inAdverts: '0', inOrders: '0', inFlight: '0', confirming: '0', debt: '0' }
  const withdrawal = { withdrawable: false, arrives: null, blockedBy: null, gas: '0.1' }
  return { asset, temporary: '0', ...held, ...withdrawal, ...extra }
}

export const balance: Balance = {
  custodyAddress: ADDRESS.custody,
  boundAddress: ADDRESS.bound,
  lines: [
    line('MEC', {
      temporary: '12.5',
      inAdverts: '795',
      inOrders: '100',
      inFlight: '199.98',
      confirming: '350',
      blockedBy: 'adverts',
      gas: '0.02',
    }),
    line('USDT', { temporary: '21.5' }),
    line('ART', { temporary: '46', inAdverts: '1', inOrders: '1', blockedBy: 'adverts' }),
  ],
  serverTime: minutesFromNow(0),
}

function fund(id: string, extra: Partial<FundRecord>): FundRecord {
  return {
    id,
    type: 'DEPOSIT',
    state: 'COMPLETED',
    direction: 'IN',
    redirected: false,
    asset: 'MEC',
    amount: '1000',
    effect: '1000',
    cost: '0',
    counterparty: null,
    hash: HASH,
    from: ADDRESS.bound,
    to: ADDRESS.custody,
    confirmations: { seen: 12, needed: 12 },
    orderId: null,
    advertId: 'ad-1',
    nft: null,
    at: minutesFromNow(-90),
    ...extra,
  }
}

const OUT = { direction: 'OUT', from: ADDRESS.custody, to: ADDRESS.bound } as const

const nftFund = (id: string, one: Nft, extra: Partial<FundRecord>) =>
  fund(id, { asset: 'ART', amount: '1', effect: '1', nft: one, ...extra })

const funds: FundRecord[] = [
  nftFund('f-8', nft('89'), {
    type: 'WITHDRAWAL',
    state: 'IN_FLIGHT',
    ...OUT,
    effect: '-1',
    at: minutesFromNow(-2),
  }),
  nftFund('f-9', nft('34'), { advertId: 'ad-9', at: minutesFromNow(-3) }),
  fund('f-1', {
    state: 'CONFIRMING',
    amount: '350',
    effect: '0',
    confirmations: { seen: 1, needed: 3 },
    at: minutesFromNow(-1),
  }),
  fund('f-2', {
    type: 'RETURN',
    state: 'IN_FLIGHT',
    ...OUT,
    amount: '199.98',
    effect: '-200',
    cost: '0.02',
    at: minutesFromNow(-6),
  }),
  fund('f-3', {
    type: 'RELEASE',
    ...OUT,
    amount: '99.9',
    effect: '-100',
    cost: '0.1',
    counterparty: { id: 'u-3', nickname: 'kaya' },
    to: ADDRESS.buyer,
    orderId: 'o-done',
    at: minutesFromNow(-40),
  }),
  fund('f-4', {}),
  fund('f-6', {
    type: 'RELEASE',
    direction: 'DIRECT',
    amount: '62.38',
    effect: '0',
    counterparty: { id: 'u-1', nickname: 'MinhTrader' },
    from: ADDRESS.buyer,
    to: ADDRESS.bound,
    orderId: 'o-wait',
    at: minutesFromNow(-400),
  }),
  fund('f-7', {
    type: 'PAYMENT',
    ...OUT,
    asset: 'USDT',
    amount: '30.06',
    effect: '-30.06',
    counterparty: { id: 'u-1', nickname: 'MinhTrader' },
    to: ADDRESS.buyer,
    orderId: 'o-wait',
    at: minutesFromNow(-400),
  }),
  fund('f-5', {
    type: 'WITHDRAWAL',
    state: 'FAILED',
    ...OUT,
    asset: 'USDT',
    amount: '20',
    effect: '-0.1',
    cost: '0.1',
    at: minutesFromNow(-5000),
  }),
]

export const handlers: Handlers = {
  'GET /balance': () => ({ ...balance, serverTime: minutesFromNow(0) }),
  'GET /balance/obstacles': () => ({
    adverts: adverts.filter(({ state }) => state !== 'CANCELLED' && state !== 'DELETED').slice(0, 3),
    orders: orders.filter(({ id }) => ['o-accept', 'o-pay', 'o-release'].includes(id)),
  }),
  'GET /balance/detail': ({ query }) =>
    page(
      funds.filter((one) => query.type === undefined || one.type === query.type),
      query,
    ),
  'GET /balance/record/{id}': ({ path, refuse }) => funds.find((one) => one.id === path.id) ?? refuse('1016'),
  'POST /balance/extract': () => ({ id: 'f-5' }),
}
