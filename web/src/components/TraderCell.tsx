import { Plural, Trans } from '@lingui/react/macro'
import type { Person, Trader } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { Avatar, TraderBadges } from '@/ui/Badge'
import { Flag } from './Flag'

/** A trader and their statistics in a cell of a table. */
export function TraderCell({ person }: { person: Person & Trader }) {
  const { count, percent } = useFormats()
  const { stats } = person
  return (
    <span className="flex items-center gap-2.5">
      <Avatar name={person.nickname} />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-1.5">
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{person.nickname}</span>
          <Flag code={person.countryCode} />
          <TraderBadges certified={person.certified} verified={person.verified} fast={person.fast} />
        </span>
        <span className="block text-muted text-xs">
          <Plural value={stats.orders30d} one="# order" other="# orders" />
          {stats.completionRate === null ? null : ` · ${percent(stats.completionRate)}`}
          {stats.lateConfirmations === 0 ? null : (
            <span className="text-warn">
              {' · '}
              <Trans>{count(stats.lateConfirmations)} late</Trans>
            </span>
          )}
        </span>
      </span>
    </span>
  )
}
