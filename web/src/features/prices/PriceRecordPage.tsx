import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChartCandlestick } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { coinConfig, keys, pollEvery } from '@/api/queries'
import type { Pair, PricePoint, PriceRange } from '@/api/types'
import { LoadFailed } from '@/command/LoadFailed'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useGo, useQueryParam } from '@/navigation/navigation'
import { Segments } from '@/ui/Chip'
import { SelectField } from '@/ui/Field'
import { loadable } from '@/ui/loadable'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import type { ChartStyle, PriceChartProps } from './PriceChart'
import { PriceFigures } from './PriceFigures'
import { PriceTable } from './PriceTable'

const POLL_MS = 60_000
const DAY_SECONDS = 86_400

const RANGES = ['7D', '30D', '3M', '6M', '1Y'] as const satisfies readonly PriceRange[]

const PriceChart = loadable<PriceChartProps>(
  () => import('./PriceChart'),
  (_, retry) => <LoadFailed retry={retry} />,
  <Skeleton className="h-80 w-full rounded-3xl" />,
)

/** The prices at which a pair was traded, as a chart and as a table. */
export default function PriceRecordPage() {
  const config = useQuery(coinConfig)
  const base = useQueryParam('base')
  const quote = useQueryParam('quote')
  if (config.data === undefined) {
    return config.isError ? (
      <QueryError error={config.error} retry={() => void config.refetch()} />
    ) : (
      <Skeleton className="mt-2 h-96 w-full rounded-3xl" />
    )
  }
  const pairs = config.data.pairs.filter((pair) => pair.album === null)
  const chosen = pairs.find((pair) => pair.base === base && pair.quote === quote) ?? pairs[0]
  if (chosen === undefined) return <NoTrades />
  return <PairPrices pairs={pairs} chosen={chosen} />
}

function PairPrices({ pairs, chosen }: { pairs: Pair[]; chosen: Pair }) {
  const { t } = useLingui()
  const go = useGo()
  const asked = useQueryParam('range')
  const range = RANGES.find((one) => one === asked) ?? '7D'
  const [style, setStyle] = useState<ChartStyle>('candles')
  const { base, quote } = chosen
  const prices = useQuery({
    queryKey: [...keys.market, 'prices', base, quote, range],
    queryFn: () =>
      read(api.GET('/order/price/thread/new/page', { params: { query: { base, quote, range } } })),
    refetchInterval: pollEvery(POLL_MS),
  })
  const hourly = (prices.data?.bucketSeconds ?? 0) < DAY_SECONDS
  const show = (changed: { base?: string; quote?: string; range?: string }) =>
    go.replace('/priceRecord', { base, quote, range, ...changed })
  const names: Record<PriceRange, string> = {
    '7D': t`7D`,
    '30D': t`30D`,
    '3M': t`3M`,
    '6M': t`6M`,
    '1Y': t`1Y`,
  }
  return (
    <div className="flex flex-col gap-3 pt-2">
      <SelectField
        label={t`Pair`}
        value={`${base}/${quote}`}
        onChange={(value) => {
          const [nextBase = '', nextQuote = ''] = value.split('/')
          show({ base: nextBase, quote: nextQuote })
        }}
        options={pairs.map((pair) => {
          const name = `${pair.base}/${pair.quote}`
          return { value: name, label: name }
        })}
      />
      <Segments<PriceRange>
        name="range"
        label={t`Range`}
        value={range}
        onChange={(next) => show({ range: next })}
        options={RANGES.map((one) => ({ value: one, label: names[one] }))}
      />
      {prices.data === undefined ? (
        prices.isError ? (
          <QueryError error={prices.error} retry={() => void prices.refetch()} />
        ) : (
          <Skeleton className="h-96 w-full rounded-3xl" />
        )
      ) : prices.data.records.length === 0 ? (
        <NoTrades />
      ) : (
        <>
          <StaleNotice query={prices} />
          <Prices
            key={`${base}/${quote} ${range}`}
            pair={chosen}
            points={prices.data.records}
            hourly={hourly}
            style={style}
          />
          <Segments<ChartStyle>
            name="style"
            label={t`Chart`}
            value={style}
            onChange={setStyle}
            options={[
              { value: 'candles', label: t`Candles` },
              { value: 'line', label: t`Line` },
            ]}
          />
          <PriceTable pair={chosen} points={prices.data.records} hourly={hourly} />
        </>
      )}
    </div>
  )
}

function Prices({
  pair,
  points,
  hourly,
  style,
}: {
  pair: Pair
  points: PricePoint[]
  hourly: boolean
  style: ChartStyle
}) {
  const [chosen, setChosen] = useState<string | null>(null)
  const found = points.findIndex((point) => point.at === chosen)
  const index = found === -1 ? points.length - 1 : found
  const point = points[index]
  if (point === undefined) return null
  return (
    <section aria-label={`${pair.base}/${pair.quote}`} className="flex flex-col gap-2">
      <PriceFigures pair={pair} point={point} hourly={hourly} />
      <PriceChart
        points={points}
        index={index}
        hourly={hourly}
        style={style}
        onChoose={(next) => setChosen(next === null ? null : (points[next]?.at ?? null))}
      />
    </section>
  )
}

function NoTrades() {
  return (
    <EmptyState
      icon={ChartCandlestick}
      title={<Trans>No trades in this time</Trans>}
      text={<Trans>Prices appear here once orders of this pair are completed.</Trans>}
    />
  )
}
