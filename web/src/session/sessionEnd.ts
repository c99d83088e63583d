/** The reason why the server no longer accepts this session. */
export type SessionEnd = { why: 'expired' } | { why: 'maintenance'; start: string; end: string }

type Listener = (end: SessionEnd) => void
const listeners = new Set<Listener>()

/** Notifies the app that the session has ended, because the API client itself does not navigate. */
export function notifySessionEnd(end: SessionEnd): void {
  for (const listener of listeners) listener(end)
}

export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
