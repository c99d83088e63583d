import { Trans, useLingui } from '@lingui/react/macro'
import type { Advert } from '@/api/types'
import { MethodLabels } from '@/components/MethodLabels'
import { ShareAdvert } from '@/components/ShareAdvert'
import { AdvertOptions } from '@/components/trading/AdvertOptions'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { add } from '@/lib/money'
import { shorten } from '@/lib/text'
import { Line } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { buyersPay } from './draft'

/** What an owner looks up about an ad now and then. */
export function AdvertDetails({ advert }: { advert: Advert }) {
  const { t } = useLingui()
  const { amount, count, time } = useFormats()
  const money = useMoney()
  const prepaid = advert.prepayment
  const selling = advert.side === 'SELL'
  return (
    <>
      <dl className="mt-3 border-line border-t pt-1">
        <Line label={<Trans context="how an ad releases">Release</Trans>}>
          {advert.kind === 'AUTOMATIC' ? <Trans>Automatic</Trans> : <Trans>Manual</Trans>}
        </Line>
        {prepaid !== null ? (
          <Line label={<Trans>Prepaid fees</Trans>}>
            {amount(add(prepaid.fee, prepaid.gas) ?? prepaid.fee)} {prepaid.asset}
          </Line>
        ) : (
          <>
            <Line label={<Trans>Limit</Trans>}>
              {money(advert.orderMin, advert.quote)} – {money(advert.orderMax, advert.quote)} {advert.quote}
            </Line>
            <Line label={<Trans>In orders</Trans>}>
              {amount(advert.inOrders)} {advert.base}
            </Line>
          </>
        )}
        {buyersPay(advert) ? (
          <Line label={selling ? <Trans>Time to pay</Trans> : <Trans>Your time to pay</Trans>}>
            <Trans>{count(advert.windowMinutes)} min</Trans>
          </Line>
        ) : null}
        {selling ? null : (
          <Line label={<Trans>Sellers’ time to deposit</Trans>}>
            <Trans>{count(advert.depositMinutes)} min</Trans>
          </Line>
        )}
        {advert.methods.length === 0 ? null : (
          <Line label={selling ? <Trans>Payment methods</Trans> : <Trans>You pay with</Trans>}>
            <MethodLabels types={advert.methods.map((one) => one.type)} />
          </Line>
        )}
        {advert.receivingAddress === null ? null : (
          <CopyRow
            label={t`Paid to`}
            value={advert.receivingAddress}
            shown={shorten(advert.receivingAddress)}
          />
        )}
        <Line label={<Trans>Created</Trans>}>{time(advert.createdAt)}</Line>
        <CopyRow label={t`Ad ID`} value={advert.id} shown={shorten(advert.id)} />
      </dl>
      <AdvertOptions of={advert} />
      {advert.state === 'ONLINE' || advert.state === 'OFFLINE' ? (
        <div className="mt-2 flex justify-end">
          <ShareAdvert id={advert.id} />
        </div>
      ) : null}
    </>
  )
}
