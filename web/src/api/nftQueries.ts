import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, read } from './client'
import { HOUR, keys, nextPage, pollEvery, pollFirstPage } from './queries'

const PAGE = 30

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
    getNextPageParam: nextPage,
    refetchInterval: pollFirstPage(15_000),
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
    getNextPageParam: nextPage,
    refetchInterval: pollFirstPage(15_000),
  })

/** The traits of an album's NFTs that are for sale, with the number of NFTs for each value. */
export const albumTraits = (base: string, quote: string) =>
  queryOptions({
    queryKey: [...keys.hall, 'traits', base, quote],
    queryFn: () => read(api.GET('/c2c/advert/traits', { params: { query: { base, quote } } })),
    staleTime: 30_000,
    enabled: base !== '',
  })

/** What NFTs cost on average in the last 24 hours: those of an album, or of all albums. */
export const nftAverage = (base: string, quote: string) =>
  queryOptions({
    queryKey: [...keys.market, 'nfts', base, quote],
    queryFn: async () =>
      base === ''
        ? (await read(api.GET('/market/nft/average', { params: { query: { quote } } }))).average24h
        : (await read(api.GET('/market/stats', { params: { query: { base, quote } } }))).average24h,
    refetchInterval: pollEvery(15_000),
    enabled: quote !== '',
  })
