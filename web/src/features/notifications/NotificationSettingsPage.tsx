import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { notificationPreferences } from '@/api/notifications'
import { keys } from '@/api/queries'
import type { NotificationPreference } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { useCommand } from '@/command/useCommand'
import { allowNotifications, notificationAccess } from '@/lib/systemNotifications'
import { Button } from '@/ui/Button'
import { Card } from '@/ui/Card'
import { Skeleton } from '@/ui/Skeleton'
import { Switch } from '@/ui/Switch'
import { CATEGORIES } from './categories'

const CHANNELS = [
  ['EMAIL', msg`Email`],
  ['BROWSER', msg`Browser`],
] as const

/** On which channels the user is told of which category. */
export default function NotificationSettingsPage() {
  const { t } = useLingui()
  const query = useQuery(notificationPreferences)
  const change = useCommand({
    run: ({ category, channel, enabled }: NotificationPreference) =>
      read(api.POST('/user/notification/preference', { body: { category, channel, enabled } })),
    touches: [keys.notificationPreferences],
  })
  if (query.data === undefined) {
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Skeleton className="mt-2 h-80 w-full rounded-3xl" />
    )
  }
  const preferences = query.data
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-3 pt-2">
      <BrowserPermission />
      {CATEGORIES.map(([category, { name, text }]) => (
        <Card key={category}>
          <h2 className="font-semibold">{t(name)}</h2>
          <p className="mt-0.5 text-muted text-sm">{t(text)}</p>
          <div className="mt-1 flex flex-wrap gap-x-6">
            {CHANNELS.map(([channel, label]) => {
              const one = preferences.find((each) => each.category === category && each.channel === channel)
              if (one === undefined) return null
              return one.optional ? (
                <span key={channel} className="flex items-center gap-1">
                  <span aria-hidden="true">{t(label)}</span>
                  <Switch
                    on={one.enabled}
                    busy={change.busy}
                    label={t`${t(name)}: ${t(label)}`}
                    onChange={(enabled) => change.send({ ...one, enabled })}
                  />
                </span>
              ) : (
                <span key={channel} className="flex min-h-11 items-center text-muted">
                  <Trans>{t(label)}: always</Trans>
                </span>
              )
            })}
          </div>
        </Card>
      ))}
    </div>
  )
}

/** Asks the browser for permission to show notifications. */
function BrowserPermission() {
  const [access, setAccess] = useState(notificationAccess)
  if (access === 'granted') return null
  return (
    <Card>
      <p className="text-sm">
        {access === 'default' ? (
          <Trans>
            To see notifications while this page is in the background, allow them in your browser.
          </Trans>
        ) : access === 'denied' ? (
          <Trans>Your browser blocks notifications of this page. You can allow them in its settings.</Trans>
        ) : (
          <Trans>Your browser shows no notifications.</Trans>
        )}
      </p>
      {access === 'default' ? (
        <Button size="small" className="mt-3" onClick={() => void allowNotifications().then(setAccess)}>
          <Trans>Allow notifications</Trans>
        </Button>
      ) : null}
    </Card>
  )
}
