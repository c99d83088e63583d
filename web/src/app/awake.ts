import type { focusManager } from '@tanstack/react-query'
import { local } from '@/lib/storage'

const DEFAULT_MINUTES = 5

/** How long a page may be hidden before it starts afresh: `indexRefreshSecond` minutes, else five. */
export function awayLimitMs(stored: string | null): number {
  const minutes = stored === null ? Number.NaN : Number(stored)
  return (Number.isFinite(minutes) && minutes > 0 ? minutes : DEFAULT_MINUTES) * 60_000
}

/** Back after a long time everything is old; back after a short one the polls go on at once. */
export function reloadWhenLongAway(focus: typeof focusManager): void {
  let hiddenAt: number | null = null
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') {
      hiddenAt = Date.now()
      return
    }
    if (hiddenAt !== null && Date.now() - hiddenAt > awayLimitMs(local.get('indexRefreshSecond')))
      location.reload()
    hiddenAt = null
    focus.onFocus()
  })
}
