import { queryOptions } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys, pollEvery } from '@/api/queries'

/** One of the user's ads. */
export const ownAdvert = (id: string) =>
  queryOptions({
    queryKey: [...keys.adverts, 'one', id],
    queryFn: () => read(api.GET('/c2c/advert/{id}', { params: { path: { id } } })),
    refetchInterval: pollEvery(4_000),
    enabled: id !== '',
  })
