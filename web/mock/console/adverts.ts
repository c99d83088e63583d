import type { components } from '../../src/api/schema'
import { nft } from '../nfts.ts'
import type { Handlers } from '../operation.ts'
import { DAY, minutesFromNow } from '../values.ts'
import { record } from './audit.ts'
import { users } from './users.ts'

type Schemas = components['schemas']

function ad(number: number, more: Partial<Schemas['ConsoleAdvert']> = {}): Schemas['ConsoleAdvert'] {
  return {
    id: `0198c2a5-0000-7000-8000-${String(number).padStart(12, '0')}`,
    ownerId: users[0]?.id ?? '',
    ownerNickname: 'MinhTrader',
    base: 'MEC',
    quote: 'USD',
    nft: null,
    side: 'SELL',
    kind: 'MANUAL',
    price: '0.4835',
    quantity: '1000',
    remaining: '740',
    remark: null,
    state: 'ONLINE',
    frozen: false,
    runningOrders: 0,
    createdAt: minutesFromNow(-2 * DAY),
    takenDown: null,
    removable: true,
    version: '4',
    ...more,
  }
}

const ads = [
  ad(4, { base: 'ART', quote: 'USDT', price: '118.5', quantity: '1', remaining: '1', nft: nft('17') }),
  ad(1, { remark: 'Write to me on Telegram first, we settle outside: @minh_fast_cash', runningOrders: 2 }),
  ad(2, { side: 'BUY', quote: 'KRW', price: '1310', state: 'OFFLINE' }),
  ad(3, {
    ownerId: users[1]?.id ?? '',
    ownerNickname: 'Sofia88',
    state: 'REVOKING',
    removable: false,
    takenDown: {
      reason: 'The remark asks for a payment to someone else’s account.',
      at: minutesFromNow(-90),
    },
  }),
]

export const handlers: Handlers = {
  'GET /console/adverts': ({ query }) => {
    const text = (query.query ?? '').toLowerCase()
    return ads.filter((one) => one.id === text || one.ownerNickname?.toLowerCase().includes(text))
  },
  'POST /console/adverts/{id}/takedown': ({ path, body, refuse }) => {
    const found = ads.find((one) => one.id === path.id) ?? refuse('5000')
    if (body.version !== found.version) refuse('5050')
    record('take_down_advert', 'advert', found.id, {}, body.reason)
    const takenDown = { reason: body.reason, at: minutesFromNow(0) }
    return Object.assign(found, { takenDown, state: 'REVOKING', removable: false, version: '9' })
  },
}
