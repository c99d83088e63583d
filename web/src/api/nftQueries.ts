import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { HOUR, keys, pollEvery } from './queries'

const PAGE = 30

const next = (last: { page: number; size: number; total: number }) =>
  last.page * last.size < last.total ? last.page + 1 : undefined

/** Polls a list while it has one page. A list of many pages would be read page by page. */
const pollFirstPage = (query: { state: { error: unknown; data: { pages: unknown[] } | undefined } }) =>
  (query.state.data?.pages.length ?? 1) === 1 ? pollEvery(15_000)(query) : false

/** The albums whose NFTs are traded. */
export const albumConfig = queryOptions({
  queryKey: [...keys.config, 'albums'],
  queryFn: () => read(api.GET('/common/class/config')),
  staleTime: HOUR,
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
    refetchInterval: pollFirstPage,
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
    queryKey: ['nftHistory', id],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/nft/{id}/history', { params: { path: { id }, query: { page: pageParam, size: PAGE } } }),
      ),
    initialPageParam: 1,
    getNextPageParam: next,
    refetchInterval: pollFirstPage,
  })
