import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { albumConfig, nftById } from '@/api/nftQueries'
import { useGo, useQueryParam } from '@/navigation/navigation'
import { offerNft } from './draft'

/** Takes over the NFT that the address asks to sell. */
export function useOfferedNft(): void {
  const go = useGo()
  const id = useQueryParam('nft')
  const nft = useQuery({ ...nftById(id), refetchInterval: false }).data
  const albums = useQuery({ ...albumConfig, enabled: id !== '' }).data
  const base = albums?.find((one) => one.classId === nft?.classId)?.code
  useEffect(() => {
    if (nft === undefined || base === undefined) return
    offerNft(nft, base)
    // The steps have addresses of their own.
    go.replace('/publish')
  }, [nft, base, go])
}
