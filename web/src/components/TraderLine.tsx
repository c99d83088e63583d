import type { Person, Trader } from '@/api/types'
import { AppLink } from '@/navigation/navigation'
import { Avatar, TraderBadges } from '@/ui/Badge'
import { Flag } from './Flag'
import { TraderStats } from './TraderStats'

/** A trader and their statistics in one line. */
export function TraderLine({ person }: { person: Person & Partial<Trader> }) {
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
            <TraderStats stats={stats} />
          </span>
        )}
      </span>
    </div>
  )
}
