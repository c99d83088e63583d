import type { QueryClient } from '@tanstack/react-query'

/** After this time without a key or a pointer, pages no longer refresh themselves, in milliseconds. */
const IDLE_MS = 5 * 60_000

let last = Date.now()

/** Returns whether the officer has left the console alone: polls would keep the session alive and fill the audit log. */
export function isIdle(now: number = Date.now()): boolean {
  return now - last > IDLE_MS
}

/** Records that the officer is there. Returns whether they were away. */
export function noteActivity(now: number = Date.now()): boolean {
  const away = isIdle(now)
  last = now
  return away
}

/** Watches keys and pointers. Refreshes these queries, and with them their polls, when the officer comes back. */
export function watchActivity(client: QueryClient, queryKeys: readonly (readonly string[])[]): void {
  const note = () => {
    if (!noteActivity()) return
    for (const queryKey of queryKeys) void client.invalidateQueries({ queryKey })
  }
  for (const event of ['keydown', 'pointerdown', 'pointermove', 'wheel'])
    addEventListener(event, note, { capture: true, passive: true })
}
