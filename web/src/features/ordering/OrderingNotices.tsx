import { Trans } from '@lingui/react/macro'
import type { OrderableAdvert } from '@/api/types'
import { SecurityPasswordField } from '@/components/SecurityPasswordField'
import { UnmetRequirements } from '@/components/trading/UnmetRequirements'
import { useFormats } from '@/i18n/format'
import { Notice } from '@/ui/Card'
import { PayerChoice } from './PayerChoice'
import { PaymentMethodChoice } from './PaymentMethodChoice'
import { Prefunding } from './Prefunding'
import type { Ordering } from './useOrdering'

/** How the user pays or is paid, if the ad is paid with fiat. */
export function PaymentChoices({
  advert,
  amount,
  ordering,
}: {
  advert: OrderableAdvert
  /** What the user has typed, to return to it. */
  amount: string
  ordering: Ordering
}) {
  const { payer, payers } = ordering
  if (advert.mine) return null
  return (
    <>
      {advert.methodTypes.length === 0 ? null : (
        <PaymentMethodChoice
          advert={advert}
          amount={amount}
          chosen={ordering.methodId}
          onChoose={ordering.setMethodId}
        />
      )}
      {payer === undefined ? null : (
        <PayerChoice payers={payers} chosen={payer} onChoose={ordering.setPayerId} />
      )}
    </>
  )
}

/** What the user has to know or to add before ordering. */
export function OrderingNotices({ advert, ordering }: { advert: OrderableAdvert; ordering: Ordering }) {
  const { amount } = useFormats()
  const { buying, price, changed, feeChanged, preview, prefunding, order } = ordering
  return (
    <>
      {advert.mine ? (
        <Notice tone="info">
          <Trans>This is your own ad.</Trans>
        </Notice>
      ) : null}
      <UnmetRequirements advert={advert} />
      {changed === null ? null : (
        <div role="alert">
          <Notice tone="warn">
            <Trans>
              The price changed from {amount(price)} to {amount(changed)} {advert.quote}. No order was placed.
            </Trans>
          </Notice>
        </div>
      )}
      {feeChanged ? (
        <div role="alert">
          <Notice tone="warn">
            <Trans>The fee has changed. Check what you receive. No order was placed.</Trans>
          </Notice>
        </div>
      ) : null}
      {preview.data?.outsidePriceBand === true ? (
        <Notice tone="warn">
          <Trans>
            This price is far from the current market price. Compare it with other offers before you order.
          </Trans>
        </Notice>
      ) : null}
      {prefunding === null ? null : (
        <>
          <Prefunding needs={prefunding} />
          <SecurityPasswordField
            value={ordering.secret}
            onChange={ordering.setSecret}
            tried={ordering.tried}
            command={order}
          />
        </>
      )}
      {buying && preview.failed ? (
        <div role="alert">
          <Notice tone="warn">
            <Trans>The fee can’t be loaded right now, so no order can be placed.</Trans>
          </Notice>
        </div>
      ) : null}
    </>
  )
}
