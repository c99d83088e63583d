import { Plural, Trans } from '@lingui/react/macro'
import type { Person, Trader } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Avatar, TraderBadges } from '@/ui/Badge'
import { Flag } from './Flag'

/** A trader and their statistics in one line. */
export function TraderLine({ person }: { person: Person & Partial<Trader> }) {
  const { count, percent } = useFormats()
  const { stats } = person
  return (
    <div className="flex items-center gap-2.5">
      <Avatar name={person.nickname} />
      <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3">
        <span className="flex min-w-0 flex-wrap items-center gap-x-1.5">
          <AppLink
            to="/trader"
            query={{ id: person.id }}
            className="-my-2.5 inline-flex min-h-11 min-w-0 items-center font-medium [overflow-wrap:anywhere]"
          >
            {person.nickname}
          </AppLink>
          <Flag code={person.countryCode} />
          <TraderBadges certified={person.certified} verified={person.verified} fast={person.fast === true} />
        </span>
        {stats === undefined ? null : (
          <span className="text-muted text-sm">
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
          </span>
        )}
      </span>
    </div>
  )
}
