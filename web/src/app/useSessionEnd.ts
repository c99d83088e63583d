import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { hrefTo } from '@/navigation/navigation'
import { navigate } from '@/navigation/place'
import { onSessionEnd } from '@/session/ended'
import { forgetSession, isSignedIn } from '@/session/session'
import { toast } from '@/ui/toast'

const LOGIN_AFTER_MS = 500

/** Maintenance and an ended session lead away from the page, wherever they were noticed. */
export function useSessionEnd(): void {
  const client = useQueryClient()
  const { t } = useLingui()
  useEffect(
    () =>
      onSessionEnd((end) => {
        const was = isSignedIn()
        if (end.why === 'maintenance') {
          forgetSession()
          client.clear()
          navigate(hrefTo('/systemMaintenance', { start: end.start, end: end.end }))
          return
        }
        if (!was) return
        const next = location.pathname + location.search
        forgetSession()
        toast(t`Your session has ended. Log in again.`, 'error')
        setTimeout(() => {
          client.clear()
          navigate(hrefTo('/login', { next }), true)
        }, LOGIN_AFTER_MS)
      }),
    [client, t],
  )
}
