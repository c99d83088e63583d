import type { focusManager } from '@tanstack/react-query'
import { local } from '@/lib/storage'

const DEFAULT_MINUTES = 5

/** Returns how long a page may be hidden before it reloads: `indexRefreshSecond` minutes, by default five. */
export function staleAfterMs(stored: string | null): number {
  const minutes = stored === null ? Number.NaN : Number(stored)
  return (Number.isFinite(minutes) && minutes > 0 ? minutes : DEFAULT_MINUTES) * 60_000
}

/** Reloads a page that was hidden for long. A page that was hidden briefly resumes polling at once. */
export function reloadWhenStale(focus: typeof focusManager): void {
  let hiddenAt: number | null = null
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') {
      hiddenAt = Date.now()
      return
    }
    if (hiddenAt !== null && Date.now() - hiddenAt > staleAfterMs(local.get('indexRefreshSecond')))
      location.reload()
    hiddenAt = null
    focus.onFocus()
  })
}
