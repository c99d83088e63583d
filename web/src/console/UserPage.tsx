import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { useIsAhead } from '@/lib/clock'
import { Button } from '@/ui/Button'
import { Card, CardTitle, Line } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { AuditTable } from './AuditTable'
import { api } from './client'
import { Loaded, Page } from './Page'
import { userKey } from './queries'
import type { UserDetails } from './types'
import { BadgesDialog, EndSessionsDialog, FlagsDialog, HoldDialog, NicknameDialog } from './UserDecisions'
import { UserPills } from './UserPills'

type Decision = 'flags' | 'badges' | 'hold' | 'sessions' | 'nickname'

/** A user, and what an administrator can decide about the user. */
export function UserPage({ id }: { id: string }) {
  const details = useQuery({
    queryKey: userKey(id),
    queryFn: () => read(api.GET('/console/users/{id}', { params: { path: { id } } })),
  })
  return <Loaded query={details}>{(loaded) => <Details details={loaded} />}</Loaded>
}

function Details({ details }: { details: UserDetails }) {
  const { t } = useLingui()
  const { time } = useFormats()
  const [open, setOpen] = useState<Decision | null>(null)
  const { user } = details
  const held = useIsAhead(user.holdUntil)
  const close = () => setOpen(null)
  return (
    <Page
      title={user.nickname ?? <Trans>No nickname</Trans>}
      actions={
        <>
          {user.nicknamePendingSince === null ? null : (
            <Button size="small" onClick={() => setOpen('nickname')}>
              <Trans>Review nickname</Trans>
            </Button>
          )}
          <Button tone="plain" size="small" onClick={() => setOpen('flags')}>
            <Trans>Restrictions</Trans>
          </Button>
          <Button tone="plain" size="small" onClick={() => setOpen('badges')}>
            <Trans>Badges</Trans>
          </Button>
          <Button tone="plain" size="small" onClick={() => setOpen('hold')}>
            <Trans>Hold</Trans>
          </Button>
          <Button tone="plain" size="small" onClick={() => setOpen('sessions')}>
            <Trans>End sessions</Trans>
          </Button>
        </>
      }
    >
      <UserPills user={user} />
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
        <Card>
          <CardTitle>
            <Trans>Account</Trans>
          </CardTitle>
          <dl>
            <CopyRow label={t`User ID`} value={user.id} />
            <Line label={<Trans>Email (masked)</Trans>}>{user.email ?? '–'}</Line>
            <Line label={<Trans>Region</Trans>}>{user.region}</Line>
            <Line label={<Trans>Registered</Trans>}>
              {user.createdAt === null ? '–' : time(user.createdAt)}
            </Line>
            <Line label={<Trans>Security password</Trans>}>
              {details.hasSecurityPassword ? <Trans>Set</Trans> : <Trans>Not set</Trans>}
            </Line>
            {user.nicknameRefusal === null ? null : (
              <Line label={<Trans>Last nickname rejected</Trans>}>{user.nicknameRefusal}</Line>
            )}
          </dl>
        </Card>
        <Card>
          <CardTitle>
            <Trans>Trading</Trans>
          </CardTitle>
          <dl>
            <CopyRow label={t`Custody address`} value={details.custodyAddress} />
            <Line label={<Trans>Credit score</Trans>}>{user.reputation}</Line>
            <Line label={<Trans>Open ads</Trans>}>{details.openAdverts}</Line>
            <Line label={<Trans>Open orders</Trans>}>{details.openOrders}</Line>
            <Line label={<Trans>Active sessions</Trans>}>{details.sessions}</Line>
            <Line label={<Trans>On hold until</Trans>}>{held ? time(user.holdUntil ?? '') : '–'}</Line>
          </dl>
        </Card>
      </div>
      <section className="flex flex-col gap-3">
        <h2 className="font-semibold text-lg">
          <Trans>Decisions about this user</Trans>
        </h2>
        {details.decisions.length === 0 ? (
          <p className="text-muted">
            <Trans>No officer has decided anything about this user.</Trans>
          </p>
        ) : (
          <AuditTable label={t`Decisions about this user`} entries={details.decisions} />
        )}
      </section>
      {open === 'flags' ? <FlagsDialog user={user} onClose={close} /> : null}
      {open === 'badges' ? <BadgesDialog user={user} onClose={close} /> : null}
      {open === 'hold' ? <HoldDialog user={user} onClose={close} /> : null}
      {open === 'sessions' ? (
        <EndSessionsDialog user={user} sessions={details.sessions} onClose={close} />
      ) : null}
      {open === 'nickname' ? <NicknameDialog user={user} onClose={close} /> : null}
    </Page>
  )
}
