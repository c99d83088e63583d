import { queryOptions } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys, pollEvery } from '@/api/queries'

/** The user's open ads and orders, which wait for coins and prevent withdrawals. Commands on them change the list. */
export const openTrades = queryOptions({
  queryKey: [...keys.balance, 'obstacles'],
  queryFn: () => read(api.GET('/balance/obstacles')),
  refetchInterval: pollEvery(15_000),
})
