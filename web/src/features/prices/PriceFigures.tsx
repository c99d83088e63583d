import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Pair, PricePoint } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { useBucketName } from './useBucketName'

/** The figures of one hour or day, which the crosshair of the chart selects. */
export function PriceFigures({ pair, point, hourly }: { pair: Pair; point: PricePoint; hourly: boolean }) {
  const { t } = useLingui()
  const { amount, count, short } = useFormats()
  const name = useBucketName(hourly)
  const fell = compare(point.close, point.open) === -1
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className={`font-bold text-2xl tabular-nums ${fell ? 'text-sell' : 'text-brand'}`}>
          {amount(point.close)} {pair.quote}
        </span>
        <span className="text-muted text-sm">{name(point.at)}</span>
      </p>
      <dl className="mt-1 grid grid-cols-[repeat(auto-fit,minmax(max(4.75rem,22%),1fr))] gap-x-3 gap-y-1 text-sm">
        <Figure label={t({ message: 'Open', context: 'price' })}>{amount(point.open)}</Figure>
        <Figure label={t`High`}>{amount(point.high)}</Figure>
        <Figure label={t`Low`}>{amount(point.low)}</Figure>
        <Figure label={t`Average`}>{amount(point.average)}</Figure>
        <Figure label={t`Volume`}>
          {short(point.volume)} {pair.base}
        </Figure>
        <Figure label={t`Trades`}>{count(point.trades)}</Figure>
      </dl>
      <p className="sr-only">
        <Trans>Move through the chart with the arrow keys.</Trans>
      </p>
    </div>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="font-medium tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
