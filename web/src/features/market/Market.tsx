import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { TrendingDown, TrendingUp } from 'lucide-react'
import { api, read } from '@/api/client'
import { keys, pollEvery } from '@/api/queries'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { Skeleton } from '@/ui/Skeleton'
import { Sparkline } from './Sparkline'

/** Last price and 24-hour statistics of a pair. */
export function Market({ base, quote }: { base: string; quote: string }) {
  const { t } = useLingui()
  const { amount, short, percent } = useFormats()
  const { data } = useQuery({
    queryKey: [...keys.market, base, quote],
    queryFn: () => read(api.GET('/market/stats', { params: { query: { base, quote } } })),
    refetchInterval: pollEvery(15_000),
    enabled: base !== '',
  })
  const change = data?.changeToday ?? '0'
  const down = compare(change, '0') === -1
  const up = compare(change, '0') === 1
  const price = (value: string | null | undefined) =>
    data === undefined ? '…' : value === null || value === undefined ? '–' : amount(value)
  return (
    <section aria-label={t`Market`} className="pt-1 pb-4">
      <div className="flex min-h-16 flex-wrap items-end justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <p className="text-muted text-sm">
            <Trans>Last price</Trans>
          </p>
          {data === undefined ? (
            <Skeleton className="mt-1 h-9 w-36" />
          ) : (
            <p className="flex items-baseline gap-2">
              <span className="whitespace-nowrap font-semibold text-3xl tracking-tight xs:text-4xl">
                {price(data.latest)}
              </span>
              <span className="whitespace-nowrap text-muted">{quote}</span>
            </p>
          )}
        </div>
        {data === undefined || data.spark.length < 2 ? null : (
          <div className="flex flex-col items-end gap-1">
            <Sparkline values={data.spark} down={down} />
            {data.changeToday === null || data.high24h === null ? null : (
              <span
                className={`flex items-center gap-1 whitespace-nowrap font-medium text-sm ${down ? 'text-sell' : up ? 'text-brand' : 'text-muted'}`}
              >
                {down ? (
                  <TrendingDown size={15} aria-hidden="true" />
                ) : up ? (
                  <TrendingUp size={15} aria-hidden="true" />
                ) : null}
                {up ? '+' : ''}
                {percent(data.changeToday)} <Trans>today</Trans>
              </span>
            )}
          </div>
        )}
      </div>
      <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(max(5.25rem,30%),1fr))] gap-x-3 gap-y-2 text-sm">
        <Figure label={t`24h high`}>{price(data?.high24h)}</Figure>
        <Figure label={t`24h low`}>{price(data?.low24h)}</Figure>
        <Figure label={t`24h average`}>{price(data?.average24h)}</Figure>
        <Figure label={t`24h volume`}>{data === undefined ? '…' : `${short(data.volume24h)} ${base}`}</Figure>
        <Figure label={t`24h turnover`}>
          {data === undefined ? '…' : `${short(data.turnover24h)} ${quote}`}
        </Figure>
      </dl>
    </section>
  )
}

function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}
