import type { OrderFeedback, Trader, TraderFeedback, TraderPage } from '../src/api/types.ts'
import { hallAdvertOf } from './market.ts'
import { type Handlers, page } from './operation.ts'
import { user } from './users.ts'
import { DAY, minutesFromNow } from './values.ts'

const minh: Trader = {
  id: 'u-minh',
  nickname: 'MinhTrader',
  countryCode: 'VN',
  certified: true,
  verified: true,
  fast: true,
  stats: {
    orders30d: 312,
    completionRate: '0.986',
    averageConfirmSeconds: 340,
    confirmations: 180,
    lateConfirmations: 1,
    acceptanceRate: '0.97',
  },
}

let favorites = [minh]
let blocked: Trader[] = []

const said = (positive: boolean, line: string | null, author: string, days: number): TraderFeedback => ({
  positive,
  line,
  author,
  givenAt: minutesFromNow(-days * DAY),
})

const feedback = [
  said(true, 'Released within two minutes.', 'SomchaiR', 1),
  said(true, null, 'Aylin99', 3),
  said(false, 'Answered late, but everything arrived.', 'JihoK', 9),
]

const given = new Map<string, OrderFeedback>()
const none: OrderFeedback = { own: null, other: null, possible: true }

export const handlers: Handlers = {
  'GET /user/trader/{id}': ({ path, refuse }): TraderPage => {
    const trader =
      path.id === user.id ? { ...minh, id: user.id, nickname: 'Maria7' } : { ...minh, id: path.id }
    if (path.id === 'nobody') return refuse('1001')
    return {
      ...trader,
      joinedAt: minutesFromNow(-400 * DAY),
      remark: 'Online from 8 to 22, Hanoi time.',
      volume30d: [
        { asset: 'MEC', amount: '48210.5' },
        { asset: 'USDT', amount: '1200' },
      ],
      averagePaymentSeconds: 260,
      feedback: { positive: 148, negative: 3 },
      favorite: favorites.some((one) => one.id === path.id),
      blocked: blocked.some((one) => one.id === path.id),
      mine: path.id === user.id,
    }
  },
  'GET /user/trader/{id}/adverts': () =>
    ['a-SELL-MEC-USD-0', 'a-BUY-MEC-USDT-0'].flatMap((id) => {
      const found = hallAdvertOf(id)
      return found === undefined ? [] : [{ ...found.row, missing: found.missing, unmet: found.unmet }]
    }),
  'GET /user/trader/{id}/feedback': ({ query }) => page(feedback, query),
  'POST /user/trader/{id}/favorite': ({ path, body }) => {
    favorites = favorites.filter((one) => one.id !== path.id)
    if (body.favorite) favorites = [{ ...minh, id: path.id }, ...favorites]
    return { favorite: body.favorite, blocked: false }
  },
  'POST /user/trader/{id}/block': ({ path, body }) => {
    blocked = blocked.filter((one) => one.id !== path.id)
    if (body.blocked) {
      blocked = [{ ...minh, id: path.id }, ...blocked]
      favorites = favorites.filter((one) => one.id !== path.id)
    }
    return { favorite: false, blocked: body.blocked }
  },
  'GET /user/favorite/page': ({ query }) => page(favorites, query),
  'GET /user/block/page': ({ query }) => page(blocked, query),
  'GET /c2c/deal/order/feedback/{id}': ({ path }) => given.get(path.id) ?? none,
  'POST /c2c/deal/order/feedback/{id}': ({ path, body, refuse }) => {
    if (body.line?.includes('@')) return refuse('1030', { field: 'line', reason: 'contact information' })
    const own = { positive: body.positive, line: body.line ?? null, givenAt: minutesFromNow(0) }
    given.set(path.id, { own, other: null, possible: false })
    return given.get(path.id) ?? none
  },
}
