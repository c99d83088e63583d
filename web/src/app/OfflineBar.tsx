import { Trans } from '@lingui/react/macro'
import { onlineManager } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
}

/** Says that what one sees may be old. */
export function OfflineBar() {
  const online = useOnline()
  return (
    <div role="status">
      {online ? null : (
        <p className="column flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 font-medium text-sm text-warn">
          <WifiOff size={16} aria-hidden="true" />
          <Trans>No network. What you see may be old.</Trans>
        </p>
      )}
    </div>
  )
}
