/** Why the server no longer knows this session. */
export type SessionEnd = { why: 'expired' } | { why: 'maintenance'; start: string; end: string }

type Listener = (end: SessionEnd) => void
const listeners = new Set<Listener>()

/** Tells whoever shows the screens; the API client itself navigates nowhere. */
export function sessionEnded(end: SessionEnd): void {
  for (const listener of listeners) listener(end)
}

export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
