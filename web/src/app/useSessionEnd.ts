import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { navigate } from '@/navigation/location'
import { hrefTo } from '@/navigation/navigation'
import { clearSession, isSignedIn } from '@/session/session'
import { onSessionEnd } from '@/session/sessionEnd'
import { toast } from '@/ui/toast'

const LOGIN_AFTER_MS = 500

/** Leaves the page when any call reports that the session has ended or maintenance has started. */
export function useSessionEnd(): void {
  const client = useQueryClient()
  const { t } = useLingui()
  useEffect(
    () =>
      onSessionEnd((end) => {
        const was = isSignedIn()
        if (end.why === 'maintenance') {
          clearSession()
          client.clear()
          // The page about the maintenance asks again and again, and must not grow the history.
          const isThere = location.pathname === '/systemMaintenance'
          navigate(hrefTo('/systemMaintenance', { start: end.start, end: end.end }), isThere)
          return
        }
        if (!was) return
        const next = location.pathname + location.search
        clearSession()
        toast(t`Your session has ended. Log in again.`, 'error')
        setTimeout(() => {
          client.clear()
          navigate(hrefTo('/login', { next }), true)
        }, LOGIN_AFTER_MS)
      }),
    [client, t],
  )
}
