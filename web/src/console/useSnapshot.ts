import { useState } from 'react'

/** Holds what a decision is about as it was when the decision was sent. */
export interface Snapshot {
  take: () => void
  /** The outcome is known: shows the data as it is now. */
  drop: () => void
}

/**
 * Returns what a decision is about: the current data, or while the outcome of the decision is unknown, the data as it was when
 * the officer sent it. Sending the decision again must send the same content, although the data may already show its effect.
 */
export function useSnapshot<T>(current: T): { data: T; snapshot: Snapshot } {
  const [taken, setTaken] = useState<{ data: T } | null>(null)
  const data = taken === null ? current : taken.data
  return { data, snapshot: { take: () => setTaken({ data }), drop: () => setTaken(null) } }
}
