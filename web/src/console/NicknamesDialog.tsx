import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { api } from './client'
import { DecisionDialog } from './DecisionDialog'
import { NICKNAMES } from './queries'
import type { NicknameVerdict, ReviewedNicknames, User } from './types'
import { WAITING } from './waiting'

/** The review of several nicknames at once. */
export function NicknamesDialog({
  users: current,
  verdict,
  done,
  onClose,
}: {
  users: readonly User[]
  verdict: NicknameVerdict
  done: () => void
  onClose: () => void
}) {
  const { t } = useLingui()
  // What the officer has chosen and sees here, whatever the list shows meanwhile.
  const [users] = useState(current)
  const count = users.length
  const rejects = verdict === 'REJECT'
  return (
    <DecisionDialog
      title={
        rejects
          ? t`${plural(count, { one: 'Reject # nickname', other: 'Reject # nicknames' })}`
          : t`${plural(count, { one: 'Approve # nickname', other: 'Approve # nicknames' })}`
      }
      confirm={rejects ? t`Reject nicknames` : t`Approve nicknames`}
      dangerous={rejects}
      effects={
        rejects ? (
          <Trans>
            Neutral names replace the nicknames at once, and the nicknames stay refused. Each user sees your
            reason and may choose another one right away; others see it once it’s approved.
          </Trans>
        ) : (
          <Trans>Everybody sees the nicknames, which are no longer under review.</Trans>
        )
      }
      {...(rejects ? { reasonHint: t`Each user sees this reason. It’s also in the audit log.` } : {})}
      touches={[NICKNAMES, WAITING, ['users'], ['user']]}
      said={({ skipped }: ReviewedNicknames) =>
        skipped.length === 0
          ? null
          : t`${plural(skipped.length, {
              one: 'Done, except for # nickname that has changed meanwhile.',
              other: 'Done, except for # nicknames that have changed meanwhile.',
            })}`
      }
      input={{ verdict, nicknames: users.map(({ id, version }) => ({ id, version })) }}
      run={({ verdict: sent, nicknames, reason }, headers) =>
        read(api.POST('/ops/nicknames', { body: { verdict: sent, nicknames, reason }, headers }))
      }
      done={done}
      onClose={onClose}
    >
      <ul aria-label={t`Nicknames`} className="max-h-40 overflow-y-auto rounded-xl bg-sunken px-4 py-2">
        {users.map((user) => (
          <li key={user.id} className="[overflow-wrap:anywhere]">
            {user.nickname}
          </li>
        ))}
      </ul>
    </DecisionDialog>
  )
}
