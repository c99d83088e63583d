import { Trans, useLingui } from '@lingui/react/macro'
import type { MatchedAdvert } from '@/api/types'
import { PaymentLabels } from '@/components/PaymentLabels'
import { TraderLine } from '@/components/TraderLine'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { buttonClass } from '@/ui/Button'
import { Card, Line, Notice } from '@/ui/Card'

/** The best ad, with what the user pays and receives. The amounts are the server's. */
export function BestMatch({ match }: { match: MatchedAdvert }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const money = useMoney()
  const { advert, quantity, total, fee, receives } = match
  const { base, quote, advertiser } = advert
  const buying = advert.side === 'SELL'
  const coins = (value: string | null) => (value === null ? '–' : `${amount(value)} ${base}`)
  const paid = total === null ? '–' : `${money(total, quote)} ${quote}`
  return (
    <Card>
      <h2 className="mb-3 font-semibold text-brand text-sm">
        <Trans>Best ad for you</Trans>
      </h2>
      <TraderLine person={advertiser} />
      <div className="grid-cols-2 items-end lg:grid lg:gap-8">
        <div>
          <dl className="mt-3 border-line border-t pt-2">
            <Line label={<Trans>Price</Trans>}>
              {amount(advert.price)} {quote}
            </Line>
            <Line label={buying ? t`You pay` : t`You send`}>{buying ? paid : coins(quantity)}</Line>
            {buying ? <Line label={<Trans>Fee</Trans>}>{coins(fee)}</Line> : null}
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
              <dt className="text-muted text-sm">{t`You receive`}</dt>
              <dd className="ml-auto min-w-0 text-right font-semibold text-2xl tracking-tight [overflow-wrap:anywhere]">
                {buying ? coins(receives) : paid}
              </dd>
            </div>
          </dl>
        </div>
        <div>
          <div className="mb-4">
            {advert.kind === 'AUTOMATIC' ? (
              <Pill tone="good">
                <Trans>Automatic, settles on-chain</Trans>
              </Pill>
            ) : (
              <PaymentLabels advert={advert} />
            )}
          </div>
          {match.outsidePriceBand ? (
            <div className="mb-4">
              <Notice tone="warn">
                <Trans>This price is far from the current market price.</Trans>
              </Notice>
            </div>
          ) : null}
          <AppLink
            to="/buySell"
            query={{ id: advert.id, amount: total ?? '' }}
            className={buttonClass(buying ? 'brand' : 'sell', 'large', true)}
          >
            {buying ? (
              <Trans>Buy from {advertiser.nickname}</Trans>
            ) : (
              <Trans>Sell to {advertiser.nickname}</Trans>
            )}
          </AppLink>
        </div>
      </div>
    </Card>
  )
}
