import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { Pill } from '@/ui/Badge'
import { api } from './client'
import { DecisionDialog } from './DecisionDialog'
import { InfoDialog } from './InfoDialog'
import { NICKNAMES } from './queries'
import type { NicknameResult, NicknameVerdict, ReviewedNicknames, User } from './types'
import { WAITING } from './waiting'

/** What became of the nickname of a user. */
export interface NicknameOutcome {
  id: string
  nickname: string
  /** What the officer has decided. */
  verdict: NicknameVerdict
  result: NicknameResult
}

/** The review of several nicknames at once. */
export function NicknamesDialog({
  users: current,
  verdict,
  done,
  onClose,
}: {
  users: readonly User[]
  verdict: NicknameVerdict
  done: (outcomes: readonly NicknameOutcome[]) => void
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
      said={({ results }: ReviewedNicknames) => {
        const left = results.filter(({ result }) => result !== 'REVIEWED').length
        return left === 0
          ? null
          : t`${plural(left, { one: '# nickname is not reviewed.', other: '# nicknames are not reviewed.' })}`
      }}
      input={{ verdict, nicknames: users.map(({ id, version }) => ({ id, version })) }}
      run={({ verdict: sent, nicknames, reason }, headers) =>
        read(api.POST('/console/nicknames', { body: { verdict: sent, nicknames, reason }, headers }))
      }
      done={({ results }) =>
        done(
          users.map(({ id, nickname }) => ({
            id,
            nickname: nickname ?? id,
            verdict,
            result: results.find((one) => one.id === id)?.result ?? 'CHANGED',
          })),
        )
      }
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

/** Says for each nickname what became of it, and why. */
export function NicknamesReport({
  outcomes,
  onClose,
}: {
  outcomes: readonly NicknameOutcome[]
  onClose: () => void
}) {
  const { t } = useLingui()
  const said = ({ verdict, result }: NicknameOutcome) => {
    switch (result) {
      case 'REVIEWED':
        return verdict === 'APPROVE' ? (
          <Pill tone="good">{t({ message: 'Approved', context: 'nickname' })}</Pill>
        ) : (
          <Pill>{t({ message: 'Rejected', context: 'nickname' })}</Pill>
        )
      case 'TAKEN':
        return (
          <span className="text-sell">{t`Not approved: another user has it, or one that looks like it`}</span>
        )
      case 'CHANGED':
        return <span className="text-warn">{t`Not reviewed: the user has changed meanwhile`}</span>
    }
  }
  return (
    <InfoDialog title={t`Result of the review`} onClose={onClose}>
      <ul aria-label={t`Nicknames`} className="max-h-80 overflow-y-auto rounded-xl bg-sunken px-4">
        {outcomes.map((outcome) => (
          <li
            key={outcome.id}
            className="flex flex-wrap items-baseline justify-between gap-x-4 border-line border-t py-2 text-sm first:border-t-0"
          >
            <span className="font-semibold [overflow-wrap:anywhere]">{outcome.nickname}</span>
            {said(outcome)}
          </li>
        ))}
      </ul>
    </InfoDialog>
  )
}
