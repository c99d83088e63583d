import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, TrendingDown, TrendingUp } from 'lucide-react'
import { useState } from 'react'
import { marketStats } from '@/api/queries'
import type { MarketStats } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { AppLink } from '@/navigation/navigation'
import { loadable } from '@/ui/loadable'
import { Skeleton } from '@/ui/Skeleton'
import { Sparkline } from './Sparkline'

/** Fetched when the line is opened. */
const MarketFigures = loadable<{ market: MarketStats }>(
  () => import('./MarketFigures'),
  () => null,
)

const LINE = 'flex min-h-11 flex-wrap items-center gap-x-2.5 gap-y-1'

/** The last price of a pair in one line, which opens to the figures of the last 24 hours, if there were any trades. */
export function Market({ base, quote }: { base: string; quote: string }) {
  const { t } = useLingui()
  const { data, isError } = useQuery(marketStats(base, quote))
  return (
    <section aria-label={t`Market`}>
      {data === undefined ? (
        <p className={LINE}>
          <Name base={base} quote={quote} />
          {isError ? null : <Skeleton className="h-5 w-28" />}
        </p>
      ) : data.high24h === null ? (
        <p className={LINE}>
          <Name base={base} quote={quote} />
          <Quiet market={data} />
        </p>
      ) : (
        <Traded market={data} />
      )}
    </section>
  )
}

function Name({ base, quote }: { base: string; quote: string }) {
  return (
    <span className="font-semibold">
      {base} / {quote}
    </span>
  )
}

function Quiet({ market }: { market: MarketStats }) {
  const { amount } = useFormats()
  const { base, quote, latest } = market
  if (latest === null) {
    return (
      <span className="text-muted text-sm">
        <Trans>No trades yet</Trans>
      </span>
    )
  }
  return (
    <>
      <span className="font-semibold">{amount(latest)}</span>
      <span className="text-muted text-sm">
        <Trans>No trades in the last 24 hours</Trans>
      </span>
      <AppLink to="/priceRecord" query={{ base, quote }} className="py-2.5 text-brand text-sm">
        <Trans>Price history</Trans>
      </AppLink>
    </>
  )
}

function Traded({ market }: { market: MarketStats }) {
  const { amount } = useFormats()
  const [opened, setOpened] = useState(false)
  const { base, quote } = market
  const change = market.changeToday
  const down = change !== null && compare(change, '0') === -1
  return (
    <details className="group" onToggle={() => setOpened(true)}>
      <summary className={`${LINE} list-none`}>
        <Name base={base} quote={quote} />
        <span className="font-semibold">
          <span className="sr-only">
            <Trans>Last price</Trans>{' '}
          </span>
          {market.latest === null ? null : amount(market.latest)}
        </span>
        {change === null ? null : <Change change={change} />}
        <span className="ml-auto flex items-center gap-2">
          {market.spark.length < 2 ? null : (
            <span className="max-sm:hidden">
              <Sparkline values={market.spark} down={down} />
            </span>
          )}
          <ChevronDown
            size={18}
            aria-hidden="true"
            className="text-muted transition-transform group-open:rotate-180"
          />
        </span>
      </summary>
      {opened ? <MarketFigures market={market} /> : null}
    </details>
  )
}

function Change({ change }: { change: string }) {
  const { percent } = useFormats()
  const sign = compare(change, '0')
  return (
    <span
      className={`flex items-center gap-1 whitespace-nowrap font-medium text-sm ${sign === -1 ? 'text-sell' : sign === 1 ? 'text-brand' : 'text-muted'}`}
    >
      {sign === -1 ? (
        <TrendingDown size={15} aria-hidden="true" />
      ) : sign === 1 ? (
        <TrendingUp size={15} aria-hidden="true" />
      ) : null}
      {sign === 1 ? '+' : ''}
      {percent(change)} <Trans>today</Trans>
    </span>
  )
}
