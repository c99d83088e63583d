import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { HallAdvert } from '@/api/types'
import { accountIdentifier, useMethodNames } from '@/components/methodNames'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { RadioCards } from '@/ui/RadioCards'

/**
 * Selects the payment method. Both parties need a method of the same type. Users without such a method get a link to
 * add one before they order.
 */
export function PaymentMethodChoice({
  advert,
  amount,
  chosen,
  onChoose,
}: {
  advert: HallAdvert
  amount: string
  /** The ID of the seller's method; empty for any shared method. */
  chosen: string
  onChoose: (id: string) => void
}) {
  const { t } = useLingui()
  const { method } = useMethodNames()
  const mine = useQuery({ queryKey: keys.methods, queryFn: () => read(api.GET('/payment/method/list')) })
  if (mine.data === undefined) return null
  const own = mine.data.filter((one) => one.currency === advert.quote)
  const kinds = new Set(own.map((one) => one.type))
  if (advert.methodTypes.some((type) => kinds.has(type))) {
    const selling = advert.side === 'BUY'
    // The choice is always between accounts of the seller: the user's own, or those of the ad.
    const options = selling
      ? own
          .filter((one) => advert.methodTypes.includes(one.type))
          .map((one) => ({ value: one.id, title: method(one.type), note: accountIdentifier(one.fields) }))
      : advert.methods
          .filter((one) => kinds.has(one.type))
          .map((one) => ({ value: one.id, title: method(one.type) }))
    const [first] = options
    if (first === undefined || options.length < 2) return null
    return (
      <RadioCards
        name="method"
        legend={selling ? t`Where do you want to be paid?` : t`How will you pay?`}
        value={chosen === '' ? first.value : chosen}
        onChange={onChoose}
        options={options}
      />
    )
  }
  const names = advert.methodTypes.map(method).join(', ')
  return (
    <Notice tone="warn">
      <p>
        <Trans>
          To place an order, add one of these {advert.quote} payment methods: {names}.
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
