import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { api, read } from '@/api/client'
import { keys, pollEvery } from '@/api/queries'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Card } from '@/ui/Card'

/** Number of pairs shown to visitors. */
const PAIRS = 6

/** Live data for visitors: last prices, the best ad of each pair, and the number of trades. */
export function LiveMarket() {
  const { t } = useLingui()
  const { amount, count } = useFormats()
  const { data } = useQuery({
    queryKey: [...keys.market, 'overview'],
    queryFn: () => read(api.GET('/market/overview')),
    refetchInterval: pollEvery(30_000),
    // The login works without this data.
    retry: false,
  })
  if (data === undefined || data.pairs.length === 0) return null
  return (
    <section aria-labelledby="live-market" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="live-market" className="font-semibold text-lg">
          <Trans>Live market</Trans>
        </h2>
        <p className="text-muted text-sm">
          <Plural value={data.completedTrades} one="# completed trade" other="# completed trades" />
        </p>
      </div>
      <Card>
        <ul aria-label={t`Best ads`}>
          {data.pairs.slice(0, PAIRS).map(({ base, quote, latest, best }) => (
            <li key={`${base}/${quote}`} className="border-line border-b py-3 last:border-0">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="font-medium">
                  {base} / {quote}
                </span>
                {latest === null ? null : (
                  <span className="text-muted text-sm">
                    <Trans>
                      Last price {amount(latest)} {quote}
                    </Trans>
                  </span>
                )}
              </div>
              {best === null ? (
                <p className="mt-1 text-muted text-sm">
                  <Trans>No ads right now</Trans>
                </p>
              ) : (
                <AppLink
                  to="/buySell"
                  query={{ id: best.id }}
                  className="mt-1 flex min-h-11 items-center justify-between gap-3"
                >
                  <span className="min-w-0">
                    <span className="block">
                      <span className="font-semibold text-brand">
                        {amount(best.price)} {quote}
                      </span>{' '}
                      <span className="text-muted text-sm">
                        <Trans>
                          {amount(best.remaining)} {base} available
                        </Trans>
                      </span>
                    </span>
                    <span className="block text-muted text-sm [overflow-wrap:anywhere]">
                      {best.advertiser.nickname} ·{' '}
                      <Trans>{count(best.advertiser.stats.orders30d)} orders in 30 days</Trans>
                    </span>
                  </span>
                  <ChevronRight size={18} className="shrink-0 text-muted" aria-hidden="true" />
                </AppLink>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
