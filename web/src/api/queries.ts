import { queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { mayPass } from './envelope'

/** Names of what is cached. The socket and commands invalidate by the first part. */
export const keys = {
  me: ['me'],
  config: ['config'],
  countries: ['countries'],
  credit: ['credit'],
  hall: ['hall'],
  market: ['market'],
  adverts: ['adverts'],
  orders: ['orders'],
  unfinished: ['orders', 'unfinished'],
  methods: ['methods'],
  balance: ['balance'],
  funds: ['funds'],
} as const

const HOUR = 3_600_000

/**
 * The interval of a poll. What failed and may pass is not polled: it is asked for again when somebody answers,
 * after ever longer waits (`command/renewal.ts`).
 */
export const every = (ms: number) => (query: { state: { error: unknown } }) =>
  mayPass(query.state.error) ? false : ms

/** Who I am; read again every four seconds while the page is seen, for the credit score and the online switch. */
export const me = (userId: string) =>
  queryOptions({
    queryKey: [...keys.me, userId],
    queryFn: () => read(api.GET('/user/info/{id}', { params: { path: { id: userId } } })),
    refetchInterval: every(4_000),
    enabled: userId !== '',
  })

/** Coins, pairs, limits, chains. */
export const coinConfig = queryOptions({
  queryKey: keys.config,
  queryFn: () => read(api.GET('/c2c/coin/config')),
  staleTime: HOUR,
})

export const countries = queryOptions({
  queryKey: keys.countries,
  queryFn: () => read(api.GET('/common/country/all')),
  staleTime: HOUR,
})

const POLL_MS = 8_000
const POLL_AFTER_FAILURE_MS = 20_000

/** How many orders are not finished; the floating button lives by it. */
export const unfinished = queryOptions({
  queryKey: keys.unfinished,
  queryFn: () =>
    read(api.GET('/c2c/deal/order/page', { params: { query: { finish: false, page: 1, size: 20 } } })),
  refetchInterval: (query) => (query.state.status === 'error' ? POLL_AFTER_FAILURE_MS : POLL_MS),
  retry: false,
})
