import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { keys, pollEvery } from './queries'

const PAGE = 30

const next = (last: { page: number; size: number; total: number }) =>
  last.page * last.size < last.total ? last.page + 1 : undefined

/** The albums whose NFTs are traded. */
export const albumConfig = queryOptions({
  queryKey: [...keys.nfts, 'albums'],
  queryFn: () => read(api.GET('/common/class/config')),
  staleTime: 60_000,
})

/** The user's NFTs in custody, of all albums if none is given. */
export const ownedNfts = (classId = '') =>
  infiniteQueryOptions({
    queryKey: [...keys.nfts, 'owned', classId],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/balance/nft/list', {
          params: { query: { page: pageParam, size: PAGE, ...(classId === '' ? {} : { classId }) } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: next,
    // A list of many pages would be read page by page.
    refetchInterval: (query) =>
      query.state.data === undefined || query.state.data.pages.length === 1
        ? pollEvery(15_000)(query)
        : false,
  })

/** An NFT with everything that is known about it. */
export const nftById = (id: string) =>
  queryOptions({
    queryKey: [...keys.nfts, 'one', id],
    queryFn: () => read(api.GET('/nft/{id}', { params: { path: { id } } })),
    refetchInterval: pollEvery(15_000),
    enabled: id !== '',
  })

/** The on-chain history of an NFT, newest first. */
export const nftHistory = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.nfts, 'history', id],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/nft/{id}/history', { params: { path: { id }, query: { page: pageParam, size: PAGE } } }),
      ),
    initialPageParam: 1,
    getNextPageParam: next,
  })
