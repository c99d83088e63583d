import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { OrderPreview } from '@/api/types'
import { refusedIn } from '@/command/refusedIn'
import type { OrderAmounts } from './orderAmounts'

/** The time to wait for further typing, in milliseconds. */
const PAUSE = 200

/** The key of all previews of orders on an ad. */
export const previewKey = (advertId: string) => [...keys.hall, 'preview', advertId]

/** Returns whether an order was refused because of its amount: too little is left, or it is outside the limits. */
export function isAboutAmount(error: unknown): boolean {
  return (
    refusedIn(error, ['quantity', 'total'], { '5008': 'quantity', '5009': 'total', '5021': 'quantity' }) !==
    null
  )
}

/** Returns the server's fee and the amount that arrives; `refusal` if no order can have this amount. */
export function useOrderPreview(
  advertId: string,
  amounts: OrderAmounts | null,
): { data: OrderPreview | undefined; refusal: unknown; loading: boolean; failed: boolean } {
  const wanted = amounts?.quantity ?? ''
  const [quantity, setQuantity] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setQuantity(wanted), PAUSE)
    return () => clearTimeout(timer)
  }, [wanted])
  const { data, error, isFetching } = useQuery({
    queryKey: [...previewKey(advertId), quantity],
    queryFn: () =>
      read(api.GET('/c2c/advert/{id}/preview', { params: { path: { id: advertId }, query: { quantity } } })),
    enabled: quantity !== '' && quantity === wanted,
  })
  const current = quantity === wanted && wanted !== ''
  const refusal = current && isAboutAmount(error) ? error : null
  return {
    data: current ? data : undefined,
    refusal,
    loading: wanted !== '' && (!current || (isFetching && data === undefined)),
    failed: current && !isFetching && data === undefined && error !== null && refusal === null,
  }
}
