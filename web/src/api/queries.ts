import { queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { ApiError, isRetryable } from './envelope'

/** Query keys. The socket and commands invalidate queries by the first part of the key. */
export const keys = {
  me: ['me'],
  config: ['config'],
  countries: ['countries'],
  dictionary: ['dictionary'],
  certification: ['certification'],
  reputation: ['reputation'],
  hall: ['hall'],
  market: ['market'],
  adverts: ['adverts'],
  orders: ['orders'],
  unfinished: ['orders', 'unfinished'],
  methods: ['methods'],
  balance: ['balance'],
  fundRecords: ['fundRecords'],
  /** The user's NFTs, which change with the balance. */
  nfts: ['balance', 'nfts'],
  talk: ['talk'],
  traders: ['traders'],
  notifications: ['notifications'],
  unreadNotifications: ['notifications', 'unread'],
  /** Which change with nothing but the user's own choice. */
  notificationPreferences: ['notificationPreferences'],
} as const

export const HOUR = 3_600_000

/**
 * Returns a polling interval. Failed queries that are retryable are not polled, because `command/retryScheduler.ts`
 * retries them with backoff.
 */
export const pollEvery = (ms: number) => (query: { state: { error: unknown } }) =>
  isRetryable(query.state.error) ? false : ms

/** Returns the number of a list's next page, for `getNextPageParam`. */
export const nextPage = (last: { page: number; size: number; total: number }) =>
  last.page * last.size < last.total ? last.page + 1 : undefined

/** Polls a list while it has one page. A list of many pages would be read page by page. */
export const pollFirstPage =
  (ms: number) => (query: { state: { error: unknown; data: { pages: unknown[] } | undefined } }) =>
    (query.state.data?.pages.length ?? 1) === 1 ? pollEvery(ms)(query) : false

/** The user, read every four seconds while the page is visible, for the credit score and the online switch. */
export const currentUser = (userId: string) =>
  queryOptions({
    queryKey: [...keys.me, userId],
    queryFn: () => read(api.GET('/user/info/{id}', { params: { path: { id: userId } } })),
    refetchInterval: pollEvery(4_000),
    enabled: userId !== '',
  })

/** What the user has in custody. */
export const ownBalance = queryOptions({
  queryKey: keys.balance,
  queryFn: () => read(api.GET('/balance')),
  refetchInterval: pollEvery(15_000),
})

const advert = (id: string) => read(api.GET('/c2c/advert/{id}', { params: { path: { id } } }))

/** One of the user's ads. To its owner alone, the server says more than the hall shows. */
export const ownAdvert = (id: string) =>
  queryOptions({
    queryKey: [...keys.adverts, 'one', id],
    queryFn: async () => {
      const { own } = await advert(id)
      if (own === null) throw new ApiError('5000', 404, '')
      return own
    },
    refetchInterval: pollEvery(4_000),
    enabled: id !== '',
  })

/** An ad of the hall, with what the user lacks to order from it. */
export const hallAdvert = (id: string) =>
  queryOptions({
    queryKey: [...keys.hall, 'one', id],
    queryFn: () => advert(id),
    refetchInterval: pollEvery(10_000),
    enabled: id !== '',
  })

/** The coins, pairs, limits and chains. */
export const coinConfig = queryOptions({
  queryKey: keys.config,
  queryFn: () => read(api.GET('/c2c/coin/config')),
  staleTime: HOUR,
})

/** The names of the reasons of appeals, in a language of the server. */
export const dictionary = (language: string) =>
  queryOptions({
    queryKey: [...keys.dictionary, language],
    queryFn: () => read(api.GET('/common/dict', { params: { query: { language } } })),
    staleTime: HOUR,
  })

export const countries = queryOptions({
  queryKey: keys.countries,
  queryFn: () => read(api.GET('/common/country/all')),
  staleTime: HOUR,
})

/** What was traded of a pair in the last 24 hours. */
export const marketStats = (base: string, quote: string) =>
  queryOptions({
    queryKey: [...keys.market, base, quote],
    queryFn: () => read(api.GET('/market/stats', { params: { query: { base, quote } } })),
    refetchInterval: pollEvery(15_000),
    enabled: base !== '',
  })

const POLL_MS = 8_000
const POLL_AFTER_FAILURE_MS = 20_000

/** The unfinished orders, for the floating button. */
export const unfinishedOrders = queryOptions({
  queryKey: keys.unfinished,
  queryFn: () =>
    read(api.GET('/c2c/deal/order/page', { params: { query: { finish: false, page: 1, size: 20 } } })),
  refetchInterval: (query) => (query.state.status === 'error' ? POLL_AFTER_FAILURE_MS : POLL_MS),
  retry: false,
})

/** The number of unread messages in all conversations. */
export const unreadMessages = queryOptions({
  queryKey: [...keys.talk, 'unread'],
  queryFn: () => read(api.GET('/user/fiat/talk/unread')),
})
