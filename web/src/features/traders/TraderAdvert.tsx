import { Trans } from '@lingui/react/macro'
import { nftName } from '@/api/nftName'
import type { HallAdvert } from '@/api/types'
import { PaymentLabels } from '@/components/PaymentLabels'
import { RequirementsPill } from '@/components/RequirementsPill'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { buttonClass } from '@/ui/Button'

/** An ad on the page of its owner. */
export function TraderAdvert({ advert }: { advert: HallAdvert }) {
  const { amount } = useFormats()
  const buying = advert.side === 'SELL'
  const { nft } = advert
  return (
    <li className="flex items-end justify-between gap-4 border-line border-b py-3 last:border-0">
      <div className="min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">
          {nft === null ? advert.base : (nft.name ?? nftName(nft))}
        </p>
        <p className="flex flex-wrap items-baseline gap-x-1.5">
          <span className="font-semibold text-xl">{amount(advert.price)}</span>
          <span className="text-muted text-sm">{advert.quote}</span>
        </p>
        {nft === null ? (
          <p className="text-muted text-sm">
            <Trans>
              Limit {amount(advert.orderMin)} – {amount(advert.orderMax)} {advert.quote}
            </Trans>
          </p>
        ) : null}
        <div className="mt-1 flex min-h-5 flex-wrap items-center gap-x-2 gap-y-1">
          {advert.kind === 'AUTOMATIC' ? (
            <Pill tone="good">
              <Trans>Automatic, settles on-chain</Trans>
            </Pill>
          ) : (
            <PaymentLabels advert={advert} />
          )}
          <RequirementsPill of={advert} />
        </div>
      </div>
      {advert.mine ? null : (
        <AppLink
          to={nft === null ? '/buySell' : '/nft/purchaseOrder'}
          query={nft === null ? { id: advert.id } : { adId: advert.id }}
          className={`${buttonClass(buying ? 'brand' : 'sell', 'small', false)} min-w-20 shrink-0`}
        >
          {buying ? <Trans>Buy</Trans> : <Trans>Sell</Trans>}
        </AppLink>
      )}
    </li>
  )
}
