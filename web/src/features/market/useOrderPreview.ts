import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { OrderPreview } from '@/api/types'
import type { OrderAmounts } from './orderAmounts'

/** The time to wait for further typing, in milliseconds. */
const PAUSE = 200

/** The key of all previews of orders on an ad. */
export const previewKey = (advertId: string) => [...keys.hall, 'preview', advertId]

/** Returns the server's fee and the amount that arrives; `tooSmall` if the fee would use up the amount. */
export function useOrderPreview(
  advertId: string,
  amounts: OrderAmounts | null,
): { data: OrderPreview | undefined; tooSmall: boolean; loading: boolean; failed: boolean } {
  const wanted = amounts?.quantity ?? ''
  const [quantity, setQuantity] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setQuantity(wanted), PAUSE)
    return () => clearTimeout(timer)
  }, [wanted])
  const { data, error, isFetching } = useQuery({
    queryKey: [...previewKey(advertId), quantity],
    queryFn: () =>
      read(
        api.GET('/c2c/advert/hall/{id}/preview', { params: { path: { id: advertId }, query: { quantity } } }),
      ),
    enabled: quantity !== '' && quantity === wanted,
  })
  const current = quantity === wanted && wanted !== ''
  const tooSmall = current && isApiError(error) && error.code === '5021'
  return {
    data: current ? data : undefined,
    tooSmall,
    loading: wanted !== '' && (!current || (isFetching && data === undefined)),
    failed: current && !isFetching && data === undefined && error !== null && !tooSmall,
  }
}
