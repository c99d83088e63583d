import { useSyncExternalStore } from 'react'

/** Returns whether the user sees the page: it is neither in another tab nor minimized. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed)
      return () => document.removeEventListener('visibilitychange', changed)
    },
    () => document.visibilityState === 'visible',
  )
}
