import { useState } from 'react'

/** Keeps what a decision is about as it was when the decision was sent. */
export interface Keeper {
  /** Whether a decision was sent, and it is unknown whether it was made. */
  keeping: boolean
  keep: () => void
  /** The outcome is known: shows the data as it is now. */
  release: () => void
}

/**
 * Returns what a decision is about: the current data, or while the outcome of the decision is unknown, the data as it was when
 * the officer sent it. Sending the decision again must send the same content, although the data may already show its effect.
 */
export function useKept<T>(current: T): { data: T; keeper: Keeper } {
  const [kept, setKept] = useState<{ data: T } | null>(null)
  const data = kept === null ? current : kept.data
  const keeper = {
    keeping: kept !== null,
    keep: () => setKept({ data }),
    release: () => setKept(null),
  }
  return { data, keeper }
}
