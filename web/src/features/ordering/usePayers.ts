import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { HallAdvert } from '@/api/types'

export interface Payer {
  /** The ID of the user's payment method. */
  id: string
  /** The account holder. */
  name: string
}

/**
 * Returns the accounts from which the user can pay for a fiat ad, one per account holder. Their type is that of the
 * seller's chosen method.
 */
export function usePayers(advert: HallAdvert, chosen: string): readonly Payer[] {
  const pays = advert.side === 'SELL' && advert.methodTypes.length > 0
  const mine = useQuery({
    queryKey: keys.methods,
    queryFn: () => read(api.GET('/payment/method/list')),
    enabled: pays,
  })
  if (!pays || mine.data === undefined) return []
  const own = mine.data.filter((one) => one.currency === advert.quote)
  const usable = advert.methods.filter((one) => own.some(({ type }) => type === one.type))
  const type = (usable.find((one) => one.id === chosen) ?? usable[0])?.type
  const payers = new Map<string, Payer>()
  for (const one of own) {
    const name = one.fields['name'] ?? ''
    if (one.type === type && name !== '' && !payers.has(name)) payers.set(name, { id: one.id, name })
  }
  return Array.from(payers.values())
}
