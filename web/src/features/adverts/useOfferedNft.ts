import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { albumConfig, nftById } from '@/api/nftQueries'
import { useGo, useQueryParam } from '@/navigation/navigation'
import { offerNft } from './draft'

/** Takes over the NFT that the address asks to sell. One that cannot be sold now, or whose album is not configured any more, is shown instead. */
export function useOfferedNft() {
  const go = useGo()
  const id = useQueryParam('nft')
  const query = useQuery({ ...nftById(id), refetchInterval: false })
  const albums = useQuery({ ...albumConfig, enabled: id !== '' })
  const nft = query.data
  const configured = albums.data
  const base = configured?.find((one) => one.classId === nft?.classId)?.code
  useEffect(() => {
    if (nft === undefined || configured === undefined) return
    if (base === undefined || !nft.mine?.actions.includes('SELL'))
      return go.replace('/nft/purchaseOrder', { id })
    offerNft(nft, base)
    // The steps have addresses of their own.
    go.replace('/publish')
  }, [nft, configured, base, go, id])
  const failed = [query, albums].filter((one) => one.isError)
  return {
    pending: id !== '' && failed.length === 0,
    error: failed[0]?.error ?? null,
    refetch: () => {
      for (const one of failed) void one.refetch()
    },
  }
}
