import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { serverNow } from '@/lib/clock'
import { Segments } from '@/ui/Chip'
import { RadioCards } from '@/ui/RadioCards'
import { api } from './client'
import { DecisionDialog } from './DecisionDialog'
import { useLabels } from './labels'
import { showUser, userKey } from './queries'
import type { Flag, NicknameVerdict, User } from './types'
import { useSnapshot } from './useSnapshot'
import { WAITING } from './waiting'

const FLAGS: readonly Flag[] = ['LOGIN', 'WITHDRAWAL', 'BUY', 'SELL']
const HOUR_MS = 3_600_000

interface Props {
  user: User
  onClose: () => void
}

function touched(user: User): string[][] {
  return [userKey(user.id), ['users'], ['nicknames']]
}

function Check({
  on,
  onChange,
  children,
}: {
  on: boolean
  onChange: (on: boolean) => void
  children: ReactNode
}) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 accent-brand"
      />
      {children}
    </label>
  )
}

export function FlagsDialog({ user: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: user, snapshot } = useSnapshot(current)
  const labels = useLabels()
  // Only what the officer has changed, so that the flags that another officer sets meanwhile stay.
  const [chosen, setChosen] = useState<Partial<Record<Flag, boolean>>>({})
  const flags = FLAGS.filter((flag) => chosen[flag] ?? user.flags.includes(flag))
  const added = flags.filter((flag) => !user.flags.includes(flag))
  const lifted = user.flags.filter((flag) => !flags.includes(flag))
  const effects: Record<Flag, string> = {
    LOGIN: t`The user is logged out everywhere and can’t log in. Open orders continue.`,
    WITHDRAWAL: t`The user can’t withdraw. Payouts that are already decided continue.`,
    BUY: t`The user can’t place or publish new buy orders. Open orders continue.`,
    SELL: t`The user can’t place or publish new sell orders. Open orders continue.`,
  }
  return (
    <DecisionDialog
      title={t`Restrictions`}
      confirm={t`Save restrictions`}
      dangerous={added.length > 0}
      effects={
        added.length + lifted.length === 0 ? (
          <Trans>Nothing changes yet.</Trans>
        ) : (
          <ul className="flex flex-col gap-1">
            {added.map((flag) => (
              <li key={flag}>{effects[flag]}</li>
            ))}
            {lifted.map((flag) => {
              const name = labels.flag(flag)
              return (
                <li key={flag}>
                  <Trans>Lifted at once: {name}</Trans>
                </li>
              )
            })}
          </ul>
        )
      }
      problem={added.length + lifted.length === 0 ? t`Change at least one restriction.` : ''}
      touches={touched(user)}
      show={showUser}
      about={{ version: user.version, snapshot }}
      input={{ flags }}
      run={(body, headers) =>
        read(api.POST('/console/users/{id}/flags', { params: { path: { id: user.id } }, body, headers }))
      }
      onClose={onClose}
    >
      <div>
        {FLAGS.map((flag) => (
          <Check key={flag} on={flags.includes(flag)} onChange={(on) => setChosen({ ...chosen, [flag]: on })}>
            {labels.flag(flag)}
          </Check>
        ))}
      </div>
    </DecisionDialog>
  )
}

export function BadgesDialog({ user: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: user, snapshot } = useSnapshot(current)
  const [chosen, setChosen] = useState<Partial<Pick<User, 'certified' | 'verified'>>>({})
  const { certified, verified } = { ...user, ...chosen }
  const same = certified === user.certified && verified === user.verified
  return (
    <DecisionDialog
      title={t`Badges`}
      confirm={t`Save badges`}
      dangerous={(user.certified && !certified) || (user.verified && !verified)}
      effects={
        <Trans>
          Certified traders can publish ads against fiat; without the badge, new ones are refused and online
          ads stay. Both badges are shown to all users.
        </Trans>
      }
      problem={same ? t`Change at least one badge.` : ''}
      touches={touched(user)}
      show={showUser}
      about={{ version: user.version, snapshot }}
      input={{ certified, verified }}
      run={(body, headers) =>
        read(api.POST('/console/users/{id}/badges', { params: { path: { id: user.id } }, body, headers }))
      }
      onClose={onClose}
    >
      <div>
        <Check on={certified} onChange={(on) => setChosen({ ...chosen, certified: on })}>
          <Trans>Certified trader</Trans>
        </Check>
        <Check on={verified} onChange={(on) => setChosen({ ...chosen, verified: on })}>
          <Trans>Verified trader</Trans>
        </Check>
      </div>
    </DecisionDialog>
  )
}

type Length = '24' | '72' | '168' | 'lift'

export function HoldDialog({ user: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: user, snapshot } = useSnapshot(current)
  const { time } = useFormats()
  const [length, setLength] = useState<Length>('24')
  // The time at which the dialog was opened.
  const [began] = useState(serverNow)
  const held = user.holdUntil !== null && Date.parse(user.holdUntil) > began
  const until = length === 'lift' ? null : new Date(began + Number(length) * HOUR_MS).toISOString()
  const shown = until === null ? '' : time(until)
  return (
    <DecisionDialog
      title={t`Hold`}
      confirm={until === null ? t`Lift the hold` : t`Put on hold`}
      dangerous={until !== null}
      effects={
        until === null ? (
          <Trans>The user can withdraw, publish ads and place orders again at once.</Trans>
        ) : (
          <Trans>
            Until {shown}, the user can’t withdraw, publish ads or place orders. Open orders continue.
          </Trans>
        )
      }
      touches={touched(user)}
      show={showUser}
      about={{ version: user.version, snapshot }}
      input={{ until }}
      run={(body, headers) =>
        read(api.POST('/console/users/{id}/hold', { params: { path: { id: user.id } }, body, headers }))
      }
      onClose={onClose}
    >
      <Segments
        name="length"
        label={t`Length of the hold`}
        value={length}
        onChange={setLength}
        options={[
          { value: '24', label: t`1 day` },
          { value: '72', label: t`3 days` },
          { value: '168', label: t`7 days` },
          ...(held ? [{ value: 'lift' as const, label: t`Lift` }] : []),
        ]}
      />
    </DecisionDialog>
  )
}

export function EndSessionsDialog({ user: current, sessions, onClose }: Props & { sessions: number }) {
  const { t } = useLingui()
  const { data: user, snapshot } = useSnapshot(current)
  return (
    <DecisionDialog
      title={t`End sessions`}
      confirm={t`End all sessions`}
      dangerous
      effects={
        <Plural
          value={sessions}
          _0="The user has no active session now. Nothing else changes."
          one="One session ends at once. The user can log in again."
          other="# sessions end at once. The user can log in again."
        />
      }
      touches={touched(user)}
      show={showUser}
      about={{ version: user.version, snapshot }}
      input={{}}
      run={(body, headers) =>
        read(
          api.POST('/console/users/{id}/sessions/end', { params: { path: { id: user.id } }, body, headers }),
        )
      }
      onClose={onClose}
    />
  )
}

export function NicknameDialog({ user: current, onClose }: Props) {
  const { t } = useLingui()
  const { data: user, snapshot } = useSnapshot(current)
  const [verdict, setVerdict] = useState<NicknameVerdict | null>(null)
  // A neutral name replaces a rejected nickname.
  const [nickname] = useState(user.nickname ?? '')
  const rejects = verdict === 'REJECT'
  return (
    <DecisionDialog
      title={t`Review “${nickname}”`}
      confirm={verdict === null ? t`Save the review` : rejects ? t`Reject nickname` : t`Approve nickname`}
      moot={user.nicknamePendingSince === null ? t`This nickname is no longer under review.` : ''}
      dangerous={rejects}
      effects={
        verdict === null ? (
          <Trans>Choose a result to see what it does. Nothing changes yet.</Trans>
        ) : rejects ? (
          <Trans>
            A neutral name replaces the nickname at once, and the nickname stays refused. The user sees your
            reason and may choose another one right away; others see it once it’s approved.
          </Trans>
        ) : (
          <Trans>Everybody sees the nickname, which is no longer under review.</Trans>
        )
      }
      problem={verdict === null ? t`Approve or reject the nickname.` : ''}
      {...(rejects ? { reasonHint: t`The user sees this reason. It’s also in the audit log.` } : {})}
      touches={[...touched(user), WAITING]}
      show={showUser}
      about={{ version: user.version, snapshot }}
      input={{ verdict: verdict ?? 'REJECT' }}
      run={(body, headers) =>
        read(api.POST('/console/users/{id}/nickname', { params: { path: { id: user.id } }, body, headers }))
      }
      onClose={onClose}
      choice={
        <div className="[&>fieldset]:mt-0 [&>fieldset]:grid [&>fieldset]:grid-cols-2">
          <RadioCards
            name="verdict"
            legend={<span className="sr-only">{t`Review result`}</span>}
            value={verdict}
            onChange={setVerdict}
            options={[
              { value: 'APPROVE', title: t`Approve` },
              { value: 'REJECT', title: t`Reject` },
            ]}
          />
        </div>
      }
    />
  )
}
