import type { Person, Trader } from '@/api/types'
import { Avatar, TraderBadges } from '@/ui/Badge'
import { Flag } from './Flag'
import { TraderStats } from './TraderStats'

/** A trader and their statistics in a cell of a table. */
export function TraderCell({ person }: { person: Person & Trader }) {
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
          <TraderStats stats={person.stats} />
        </span>
      </span>
    </span>
  )
}
