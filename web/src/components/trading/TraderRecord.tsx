import { Trans, useLingui } from '@lingui/react/macro'
import type { Trader } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { Line } from '@/ui/Card'

/** What a trader's last 30 days say about how reliable and how quick they are. */
export function TraderRecord({ stats }: { stats: Trader['stats'] }) {
  const { t } = useLingui()
  const { count, percent } = useFormats()
  const share = (rate: string | null) => (rate === null ? '–' : percent(rate))
  const minutes = stats.averageConfirmSeconds === null ? null : Math.ceil(stats.averageConfirmSeconds / 60)
  return (
    <dl aria-label={t`The last 30 days`} className="mt-2 border-line border-t pt-2">
      <Line label={<Trans>Orders completed</Trans>}>
        {count(stats.orders30d)}
        {stats.completionRate === null ? '' : ` · ${share(stats.completionRate)}`}
      </Line>
      <Line label={<Trans>Orders accepted</Trans>}>{share(stats.acceptanceRate)}</Line>
      <Line label={<Trans>Avg. confirmation</Trans>}>
        {minutes === null ? '–' : <Trans>{count(minutes)} min</Trans>}
      </Line>
      <Line label={<Trans>Confirmed late</Trans>}>
        {stats.confirmations === 0 ? (
          '–'
        ) : (
          <span className={stats.lateConfirmations > 0 ? 'text-warn' : ''}>
            <Trans>
              {count(stats.lateConfirmations)} out of {count(stats.confirmations)}
            </Trans>
          </span>
        )}
      </Line>
    </dl>
  )
}
