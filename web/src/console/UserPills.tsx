import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useIsAhead } from '@/lib/clock'
import { Pill } from '@/ui/Badge'
import { useLabels } from './labels'
import { ConsoleLink } from './routing'
import type { User } from './types'

/** The nickname of a user, as a link to the user. */
export function UserName({ user }: { user: User }) {
  return (
    <ConsoleLink to={`/console/users/${user.id}`}>{user.nickname ?? <Trans>No nickname</Trans>}</ConsoleLink>
  )
}

/** The restrictions and badges of a user. */
export function UserPills({ user, none }: { user: User; none?: ReactNode }) {
  const labels = useLabels()
  const held = useIsAhead(user.holdUntil)
  const pending = user.nicknamePendingSince !== null
  if (user.flags.length === 0 && !held && !pending && !user.certified && !user.verified) return none ?? null
  return (
    <span className="flex flex-wrap gap-1.5">
      {user.flags.map((flag) => (
        <Pill key={flag} tone="danger">
          {labels.flag(flag)}
        </Pill>
      ))}
      {held ? (
        <Pill tone="warn">
          <Trans>On hold</Trans>
        </Pill>
      ) : null}
      {pending ? (
        <Pill tone="info">
          <Trans>Nickname under review</Trans>
        </Pill>
      ) : null}
      {user.certified ? (
        <Pill tone="good">
          <Trans>Certified</Trans>
        </Pill>
      ) : null}
      {user.verified ? (
        <Pill tone="good">
          <Trans>Verified</Trans>
        </Pill>
      ) : null}
    </span>
  )
}
