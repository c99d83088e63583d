import { queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { keys, pollEvery } from './queries'

/** An order of the user. */
export const orderById = (id: string) =>
  queryOptions({
    queryKey: [...keys.orders, 'one', id],
    queryFn: () => read(api.GET('/c2c/deal/order/{id}', { params: { path: { id } } })),
    refetchInterval: pollEvery(8_000),
    enabled: id !== '',
  })
