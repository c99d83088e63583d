import { Plural, Trans } from '@lingui/react/macro'
import type { Trader } from '@/api/types'
import { useFormats } from '@/i18n/format'

/** The statistics of a trader in words. Shares of 100% and counts of none are left out. */
export function TraderStats({ stats }: { stats: Trader['stats'] }) {
  const { count, percent } = useFormats()
  return (
    <>
      <Plural value={stats.orders30d} one="# order" other="# orders" />
      {stats.completionRate === null ? null : ` · ${percent(stats.completionRate)}`}
      {stats.acceptanceRate === null || stats.acceptanceRate === '1' ? null : (
        <>
          {' · '}
          <Trans>{percent(stats.acceptanceRate)} accepted</Trans>
        </>
      )}
      {stats.lateConfirmations === 0 ? null : (
        <span className="text-warn">
          {' · '}
          <Trans>{count(stats.lateConfirmations)} late</Trans>
        </span>
      )}
    </>
  )
}
