import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { api, read } from '@/api/client'
import type { HallAdvert } from '@/api/expected'
import { keys } from '@/api/queries'
import { AppLink } from '@/navigation/navigation'
import { useMethodNames } from '@/parts/methodNames'
import { buttonClass } from '@/ui/Button'
import { Notice } from '@/ui/Card'

/** Both sides must have a payment method of the same kind; who has none is told before ordering, with the way there. */
export function SharedMethod({ advert, amount }: { advert: HallAdvert; amount: string }) {
  const { method } = useMethodNames()
  const mine = useQuery({ queryKey: keys.methods, queryFn: () => read(api.GET('/payment/method/list')) })
  if (mine.data === undefined) return null
  const shared = mine.data.some(
    (one) => one.currency === advert.quote && advert.methodTypes.includes(one.type),
  )
  if (shared) return null
  const kinds = advert.methodTypes.map(method).join(', ')
  return (
    <Notice tone="warn">
      <p>
        <Trans>
          To order here you need a payment method of your own in {advert.quote}: {kinds}.
        </Trans>
      </p>
      <AppLink
        to="/creatingPayment"
        query={{ currency: advert.quote, type: advert.methodTypes[0] ?? '', advert: advert.id, amount }}
        className={`${buttonClass('plain', 'small', false)} mt-2`}
      >
        <Plus size={18} aria-hidden="true" />
        <Trans>Add a payment method</Trans>
      </AppLink>
    </Notice>
  )
}
