import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { HallAdvert } from '@/api/types'
import { useMethodNames } from '@/components/methodNames'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { RadioCards } from '@/ui/RadioCards'

/**
 * Selects the payment method. Both parties need a method of the same type. Users without such a method get a link to
 * add one before they order; sellers with several methods choose one.
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
  const kinds = new Set(mine.data.filter((one) => one.currency === advert.quote).map((one) => one.type))
  if (advert.methodTypes.some((type) => kinds.has(type))) {
    const usable = advert.methods.filter((one) => kinds.has(one.type))
    const [first] = usable
    if (first === undefined || usable.length < 2) return null
    return (
      <RadioCards
        name="method"
        legend={t`How will you pay?`}
        value={chosen === '' ? first.id : chosen}
        onChange={onChoose}
        options={usable.map((one) => ({ value: one.id, title: method(one.type) }))}
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
