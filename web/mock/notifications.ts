import type { Notification, NotificationPreference } from '../src/api/types.ts'
import type { Handlers } from './operation.ts'
import { minutesFromNow } from './values.ts'

const blank = {
  unread: false,
  orderId: null,
  advertId: null,
  notice: null,
  reader: null,
  author: null,
  certified: null,
  accountChange: null,
  traded: null,
  withdrawal: false,
} as const

const traded = { base: 'MEC', quote: 'USD', quantity: '500', total: '245', nft: null }

const told: Notification[] = [
  {
    ...blank,
    number: 41,
    at: minutesFromNow(-2),
    category: 'ACTION_NEEDED',
    orderId: 'o-paid',
    traded,
    notice: 'ORDER_PAID',
    reader: 'SELLER',
    author: 'BUYER',
  },
  {
    ...blank,
    number: 37,
    at: minutesFromNow(-9),
    category: 'NEW_ORDER',
    orderId: 'o-paid',
    traded,
    notice: 'NEW_ORDER',
    reader: 'SELLER',
    author: 'BUYER',
  },
  {
    ...blank,
    number: 30,
    at: minutesFromNow(-95),
    category: 'ADVERT',
    advertId: 'a1',
    notice: 'ADVERT_CONFIRMED',
  },
  { ...blank, number: 22, at: minutesFromNow(-1_500), category: 'ACCOUNT' },
  { ...blank, number: 21, at: minutesFromNow(-1_600), category: 'SECURITY', accountChange: 'EMAIL_ADDRESS' },
  { ...blank, number: 9, at: minutesFromNow(-9_000), category: 'ACCOUNT', certified: true },
]

let read = 30
const categories = [
  'NEW_ORDER',
  'ACTION_NEEDED',
  'ORDER_PROGRESS',
  'APPEAL',
  'ADVERT',
  'ACCOUNT',
  'FUNDS',
  'SECURITY',
] as const
const quiet: readonly string[] = ['ORDER_PROGRESS', 'ADVERT']

let preferences: NotificationPreference[] = categories.flatMap((category): NotificationPreference[] => [
  { category, channel: 'EMAIL', enabled: !quiet.includes(category), optional: category !== 'SECURITY' },
  { category, channel: 'BROWSER', enabled: category !== 'FUNDS', optional: true },
])

const unread = () => ({ count: told.filter(({ number }) => number > read).length })

export const handlers: Handlers = {
  'GET /user/notification/page': ({ query }) => {
    const wanted = told.filter(
      (one) =>
        (query.category ?? one.category) === one.category &&
        (String(query.unread) !== 'true' || one.number > read),
    )
    const list = wanted.map((one) => Object.assign({}, one, { unread: one.number > read }))
    return { list, next: null }
  },
  'GET /user/notification/unRead': unread,
  'POST /user/notification/read': ({ body }) => {
    read = Math.max(read, body.upTo)
    return unread()
  },
  'GET /user/notification/preference': () => preferences,
  'POST /user/notification/preference': ({ body }) => {
    preferences = preferences.map((one) =>
      one.category === body.category && one.channel === body.channel
        ? { ...one, enabled: body.enabled }
        : one,
    )
    return preferences
  },
}
