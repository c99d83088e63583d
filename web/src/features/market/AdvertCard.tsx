import { Trans, useLingui } from '@lingui/react/macro'
import { Bot } from 'lucide-react'
import type { HallAdvert } from '@/api/types'
import { PaymentLabels } from '@/components/PaymentLabels'
import { RequirementsPill } from '@/components/RequirementsPill'
import { TraderLine } from '@/components/TraderLine'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { buttonClass } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'

/** An ad in the hall: advertiser, price, quantity, payment methods, and the order button. */
export function AdvertCard({ advert, amount: wanted }: { advert: HallAdvert; amount: string }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const buying = advert.side === 'SELL'
  return (
    <li className="border-line border-b py-4 last:border-0">
      <TraderLine person={advert.advertiser} />
      <div className="mt-2 flex max-2xs:flex-col max-2xs:items-stretch items-end justify-between gap-4">
        <div className="min-w-0">
          <p className="flex flex-wrap items-baseline gap-x-1.5">
            <span className="font-semibold text-[1.75rem] leading-tight tracking-tight">
              {amount(advert.price)}
            </span>
            <span className="text-muted text-sm">{advert.quote}</span>
          </p>
          <dl className="mt-1 grid grid-cols-[auto_1fr] max-2xs:grid-cols-1 gap-x-3 gap-y-0.5 text-sm">
            <dt className="text-muted">
              <Trans>Available</Trans>
            </dt>
            <dd>
              {amount(advert.remaining)} {advert.base}
            </dd>
            <dt className="text-muted">
              <Trans>Limit</Trans>
            </dt>
            <dd>
              {amount(advert.orderMin)} – {amount(advert.orderMax)} {advert.quote}
            </dd>
          </dl>
          <div className="mt-2 flex min-h-5 flex-wrap items-center gap-1.5">
            {advert.kind === 'AUTOMATIC' ? (
              <Pill tone="good">
                <Bot size={13} aria-hidden="true" />
                <Trans>Automatic, settles on-chain</Trans>
              </Pill>
            ) : (
              <PaymentLabels advert={advert} />
            )}
            <RequirementsPill of={advert} />
          </div>
        </div>
        {advert.mine ? (
          <Pill>
            <Trans>Your ad</Trans>
          </Pill>
        ) : (
          <AppLink
            to="/buySell"
            query={{ id: advert.id, amount: wanted }}
            label={
              buying
                ? t`Buy ${advert.base} from ${advert.advertiser.nickname}`
                : t`Sell ${advert.base} to ${advert.advertiser.nickname}`
            }
            className={`${buttonClass(buying ? 'brand' : 'sell', 'small', false)} min-w-20 shrink-0`}
          >
            {buying ? <Trans>Buy</Trans> : <Trans>Sell</Trans>}
          </AppLink>
        )}
      </div>
    </li>
  )
}

/** A placeholder as tall as a card, so that the layout does not shift. */
export function AdvertCardSkeleton() {
  return (
    <li className="border-line border-b py-4 last:border-0">
      <div className="flex h-8 items-center gap-2.5">
        <Skeleton className="size-8 rounded-full" />
        <Skeleton className="h-4 w-28" />
        <span className="flex-1" />
        <Skeleton className="h-4 w-24" />
      </div>
      <div className="mt-2 flex h-28.5 items-end justify-between">
        <div className="flex h-full flex-col justify-between">
          <Skeleton className="h-8 w-32" />
          <Skeleton className="h-4 w-48" />
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-4 w-32" />
        </div>
        <Skeleton className="h-11 w-20 rounded-xl" />
      </div>
    </li>
  )
}
