import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onSessionEnd } from '@/session/ended'
import { forgetSession, isSignedIn } from '@/session/session'
import { toast } from '@/ui/toast'

const LOGIN_AFTER_MS = 500

/** Maintenance and an ended session lead away from the page, wherever they were noticed. */
export function useSessionEnd(): void {
  const router = useRouter()
  const client = useQueryClient()
  const { t } = useLingui()
  useEffect(
    () =>
      onSessionEnd((end) => {
        const was = isSignedIn()
        if (end.why === 'maintenance') {
          forgetSession()
          client.clear()
          void router.navigate({ to: '/systemMaintenance', search: { start: end.start, end: end.end } })
          return
        }
        if (!was) return
        const next = router.state.location.href
        forgetSession()
        toast(t`Your session has ended. Log in again.`, 'error')
        setTimeout(() => {
          client.clear()
          void router.navigate({ to: '/login', search: { next }, replace: true })
        }, LOGIN_AFTER_MS)
      }),
    [router, client, t],
  )
}
