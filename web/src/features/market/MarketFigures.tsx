import { Trans, useLingui } from '@lingui/react/macro'
import { ChartCandlestick } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MarketStats } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'

/** The figures of a pair in the last 24 hours, and the way to its price history. */
export default function MarketFigures({ market }: { market: MarketStats }) {
  const { t } = useLingui()
  const { amount, short } = useFormats()
  const { base, quote } = market
  return (
    <>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(max(5.25rem,30%),1fr))] gap-x-3 gap-y-2 pb-3 text-sm">
        <Figure label={t`24h high`} value={market.high24h} show={amount} />
        <Figure label={t`24h low`} value={market.low24h} show={amount} />
        <Figure label={t`24h average`} value={market.average24h} show={amount} />
        <Figure label={t`24h volume`} value={market.volume24h} show={(value) => `${short(value)} ${base}`} />
        <Figure
          label={t`24h turnover`}
          value={market.turnover24h}
          show={(value) => `${short(value)} ${quote}`}
        />
      </dl>
      <AppLink
        to="/priceRecord"
        query={{ base, quote }}
        className="inline-flex min-h-11 items-center gap-2 font-medium text-brand text-sm"
      >
        <ChartCandlestick size={17} aria-hidden="true" />
        <Trans>Price history</Trans>
      </AppLink>
    </>
  )
}

function Figure({
  label,
  value,
  show,
}: {
  label: string
  value: string | null
  show: (value: string) => ReactNode
}) {
  if (value === null) return null
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="font-medium">{show(value)}</dd>
    </div>
  )
}
