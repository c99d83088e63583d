import { useQuery } from '@tanstack/react-query'
import { albumConfig } from '@/api/nftQueries'
import type { Album } from '@/api/nfts'

/** Returns an album by its ID; undefined while it is not loaded. */
export function useAlbum(classId: string | null): Album | undefined {
  return useQuery(albumConfig).data?.find((one) => one.classId === classId)
}
