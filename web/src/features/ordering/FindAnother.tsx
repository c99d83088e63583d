import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { SearchCheck } from 'lucide-react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { OrderableAdvert } from '@/api/types'
import { AppLink, type Query } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import type { Ordering } from './useOrdering'

/** Codes of refusals after which another ad may still take the order: too little is left, or the amount is outside the limits. */
const AMOUNT = new Set(['5008', '5009'])
/** The ad has ended, takes no orders now or none of this user, or no payment method is shared. */
const ADVERT = new Set(['5000', '5010', '5037', '5038', '5044', '5069'])

/** Offers a search for another ad, with what the user has entered, if this one can't take the order. */
export function FindAnother({
  advert,
  ordering,
  amount,
  unit,
}: {
  advert: OrderableAdvert
  ordering: Ordering
  amount: string
  unit: 'money' | 'quantity'
}) {
  const { amountRefusal, order, methodId } = ordering
  const fiat = advert.methodTypes.length > 0
  const methods = useQuery({
    queryKey: keys.methods,
    queryFn: () => read(api.GET('/payment/method/list')),
    enabled: fiat,
  }).data
  const known = new Set(methods?.filter((one) => one.currency === advert.quote).map((one) => one.type))
  const unshared = fiat && methods !== undefined && !advert.methodTypes.some((type) => known.has(type))
  const refusedWith = (error: unknown, codes: ReadonlySet<string>) =>
    isApiError(error) && codes.has(error.code)
  const fits =
    advert.unmet.length === 0 &&
    !unshared &&
    !refusedWith(amountRefusal, AMOUNT) &&
    !refusedWith(order.error, ADVERT)
  if (fits || advert.mine) return null
  // The method is one of the seller's, who is the user or the advertiser.
  const chosen = [...advert.methods, ...(methods ?? [])].find((one) => one.id === methodId)
  const query: Query = {
    base: advert.base,
    quote: advert.quote,
    wish: advert.side === 'SELL' ? '' : 'SELL',
    amount,
    methods: chosen?.type ?? '',
    unit: unit === 'money' ? '' : unit,
    id: advert.id,
  }
  return (
    <AppLink to="/adMatching" query={query} className={`${buttonClass('plain', 'normal', true)} mb-3`}>
      <SearchCheck size={18} aria-hidden="true" />
      <Trans>Find another ad</Trans>
    </AppLink>
  )
}
