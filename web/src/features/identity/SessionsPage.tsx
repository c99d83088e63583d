import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { api, completed, read } from '@/api/client'
import { logOut } from '@/api/logOut'
import { keys, pollEvery } from '@/api/queries'
import type { SessionItem } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useCommand } from '@/command/useCommand'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { Card, Notice } from '@/ui/Card'
import { ConfirmationSheet } from '@/ui/ConfirmationSheet'
import { Skeleton } from '@/ui/Skeleton'
import { toast } from '@/ui/toast'

const POLL_MS = 10_000

/** The devices on which the user is logged in, and the ways to log them out. */
export default function SessionsPage() {
  const sessions = useQuery({
    queryKey: [...keys.me, 'sessions'],
    queryFn: () => read(api.GET('/user/session/list')),
    refetchInterval: pollEvery(POLL_MS),
  })
  if (sessions.data === undefined) {
    return sessions.isError ? (
      <QueryError error={sessions.error} retry={() => void sessions.refetch()} />
    ) : (
      <Skeleton className="mt-3 h-72 w-full rounded-3xl" />
    )
  }
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-4 pt-3">
      <StaleNotice query={sessions} />
      <Card>
        <ul>
          {sessions.data.map((one) => (
            <SessionLine key={one.id} one={one} />
          ))}
        </ul>
      </Card>
      <Notice tone="info">
        <Trans>
          Don’t recognize a device? Log it out, then{' '}
          <AppLink to="/updatePassword" className="font-medium underline">
            change your password
          </AppLink>
          .
        </Trans>
      </Notice>
      <Ending others={sessions.data.length > 1} />
    </div>
  )
}

function SessionLine({ one }: { one: SessionItem }) {
  const { t } = useLingui()
  const { time } = useFormats()
  const { browser, system } = one
  const end = useCommand({
    run: (id: string, headers) =>
      completed(api.POST('/user/session/revoke/{id}', { params: { path: { id } }, body: {}, headers })),
    touches: [keys.me],
    done: () => toast(t`Device logged out`),
  })
  const device =
    browser === null ? t`Unknown browser` : system === null ? browser : t`${browser} on ${system}`
  return (
    <li className="flex flex-wrap items-center gap-3 border-line border-b py-3 last:border-0">
      <MonitorSmartphone size={22} className="shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {device}
          {one.current ? (
            <span className="ml-2 rounded-full bg-brand-soft px-2 py-0.5 font-medium text-brand text-xs">
              <Trans>this device</Trans>
            </span>
          ) : null}
        </p>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          <Trans>
            {one.address} · since {time(one.openedAt)}
          </Trans>
        </p>
      </div>
      {one.current ? null : (
        <Button tone="plain" size="small" busy={end.busy} onClick={() => end.send(one.id)}>
          <Trans>Log out</Trans>
          <span className="sr-only">
            {device}, {one.address}
          </span>
        </Button>
      )}
    </li>
  )
}

function Ending({ others }: { others: boolean }) {
  const { t } = useLingui()
  const [asked, setAsked] = useState(false)
  const revokeOthers = (headers: Record<'Idempotency-Key', string>) =>
    completed(api.POST('/user/session/revokeOthers', { body: {}, headers }))
  const elsewhere = useCommand({
    run: (_: 'elsewhere', headers) => revokeOthers(headers),
    touches: [keys.me],
    done: () => toast(t`Your other devices are logged out`),
  })
  const everywhere = useCommand({
    run: (_: 'everywhere', headers) => revokeOthers(headers),
    done: () => void logOut(),
  })
  return (
    <div className="flex flex-col gap-3">
      {others ? (
        <Button tone="plain" wide busy={elsewhere.busy} onClick={() => elsewhere.send('elsewhere')}>
          <Trans>Log out elsewhere</Trans>
        </Button>
      ) : null}
      <Button tone="danger" wide onClick={() => setAsked(true)}>
        <Trans>Log out everywhere</Trans>
      </Button>
      <ConfirmationSheet
        open={asked}
        onClose={() => setAsked(false)}
        title={t`Log out everywhere?`}
        keep={t`Stay logged in`}
        confirm={t`Log out everywhere`}
        busy={everywhere.busy}
        onConfirm={() => everywhere.send('everywhere')}
      >
        <p>
          <Trans>
            You’ll be logged out on all devices, including this one. Your ads will go offline. Active orders
            continue.
          </Trans>
        </p>
      </ConfirmationSheet>
    </div>
  )
}
