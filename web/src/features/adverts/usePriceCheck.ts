import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { PriceCheck } from '@/api/types'
import { compare } from '@/lib/money'
import { usePaused } from '@/lib/usePaused'
import type { Draft } from './draft'

export interface CheckedPrice {
  /** What the server says about the price; undefined while it is asked or if the price is incomplete. */
  check: PriceCheck | undefined
  failed: boolean
}

/** Returns how the price of a draft compares with the market. */
export function usePriceCheck({ side, base, quote, price: typed }: Draft): CheckedPrice {
  const price = usePaused(typed)
  const query = { base, quote, side, price }
  const { data, isError, isPlaceholderData } = useQuery({
    queryKey: [...keys.market, 'price', query],
    queryFn: () => read(api.GET('/c2c/advert/price', { params: { query } })),
    enabled: base !== '' && compare(price, '0') === 1,
    placeholderData: keepPreviousData,
  })
  const current = price === typed && compare(price, '0') === 1
  return { check: current && !isPlaceholderData ? data : undefined, failed: current && isError }
}
