import { Trans } from '@lingui/react/macro'
import { ChevronRight, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { HallAdvert, MatchedAdvert, Misfit } from '@/api/types'
import { useMethodNames } from '@/components/methodNames'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { useNames } from '../filters/useNames'

/** An ad in one row: what the user would get of it, or why it doesn't fit. */
export function MatchRow({ match }: { match: MatchedAdvert }) {
  const { amount } = useFormats()
  const money = useMoney()
  const { advert, receives, total, misfits } = match
  const { base, quote, advertiser } = advert
  const gets =
    advert.side === 'SELL'
      ? receives === null
        ? null
        : `${amount(receives)} ${base}`
      : total === null
        ? null
        : `${money(total, quote)} ${quote}`
  const fits = misfits.length === 0
  const row = (
    <>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <bdi className="min-w-0 font-medium [overflow-wrap:anywhere]">{advertiser.nickname}</bdi>
          <span className="text-muted text-sm">
            {amount(advert.price)} {quote}
          </span>
        </span>
        {fits ? (
          <span className="block text-sm">
            {gets === null ? null : <Trans>You receive {gets}</Trans>}
            {match.outsidePriceBand ? (
              <span className="block text-warn">
                <Trans>This price is far from the current market price.</Trans>
              </span>
            ) : null}
          </span>
        ) : (
          misfits.map((misfit) => (
            <span key={misfit} className="flex items-start gap-1.5 text-muted text-sm leading-snug">
              <TriangleAlert size={14} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <Reason misfit={misfit} advert={advert} />
              </span>
            </span>
          ))
        )}
      </span>
      <ChevronRight size={18} aria-hidden="true" className="shrink-0 text-muted" />
    </>
  )
  return (
    <li>
      <AppLink
        to="/buySell"
        query={{ id: advert.id, amount: fits ? (total ?? '') : '' }}
        className="flex min-h-14 items-center gap-3 py-2.5"
      >
        {row}
      </AppLink>
    </li>
  )
}

/** Why a user cannot order from an ad. */
function Reason({ misfit, advert }: { misfit: Misfit; advert: HallAdvert }) {
  const money = useMoney()
  const { method } = useMethodNames()
  const oneOf = useNames()
  const { quote } = advert
  const offered = oneOf(advert.methodTypes.map(method))
  const why: Record<Misfit, ReactNode> = {
    OWN: <Trans>This is your own ad.</Trans>,
    BLOCKED: <Trans>You’ve blocked this trader.</Trans>,
    OFFLINE: <Trans>The advertiser is offline.</Trans>,
    BELOW_MINIMUM: (
      <Trans>
        Takes orders from {money(advert.orderMin, quote)} {quote}
      </Trans>
    ),
    ABOVE_MAXIMUM: (
      <Trans>
        Takes orders up to {money(advert.orderMax, quote)} {quote}
      </Trans>
    ),
    METHOD: <Trans>Only with {offered}</Trans>,
    NO_SHARED_METHOD: <Trans>You need a payment method of your own for {offered}.</Trans>,
    TAKER_REQUIREMENTS: <Trans>You don’t meet what the advertiser requires of takers.</Trans>,
    CHAIN_TYPE: <Trans>It can’t pay to the chain of your receiving address.</Trans>,
  }
  return why[misfit]
}
