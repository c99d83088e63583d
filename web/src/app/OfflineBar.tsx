import { Trans } from '@lingui/react/macro'
import { CloudOff, WifiOff } from 'lucide-react'
import { useHasStaleQueries, useOnline } from '@/command/connection'

const BAR =
  'column flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 font-medium text-sm text-warn'

/** Warns that the page may be out of date, and states the cause: this device's network or the platform. */
export function OfflineBar() {
  const online = useOnline()
  const old = useHasStaleQueries()
  return (
    <div role="status" className="sticky top-14 short:top-0 z-20">
      {!online ? (
        <p className={BAR}>
          <WifiOff size={16} className="shrink-0" aria-hidden="true" />
          <Trans>You’re offline. This page may be out of date.</Trans>
        </p>
      ) : old ? (
        <p className={BAR}>
          <CloudOff size={16} className="shrink-0" aria-hidden="true" />
          <Trans>Can’t reach MEC2C. This page may be out of date. Reconnecting…</Trans>
        </p>
      ) : null}
    </div>
  )
}
