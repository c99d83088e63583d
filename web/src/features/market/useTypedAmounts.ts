import { useEffect, useEffectEvent, useState } from 'react'

const TYPING_MS = 400

type Amounts = Readonly<Record<string, string>>

/**
 * Amounts that filter the list while they are typed. They are sent when typing pauses, when a field is left, and when the fields
 * disappear. Filters that others change replace what was typed, but those that were sent do not: `70.` stays, and means `70`.
 */
export function useTypedAmounts<T extends Amounts>(
  sent: T,
  send: (amounts: T) => void,
): { typed: T; type: (amounts: T) => void; settle: () => void } {
  const [typed, type] = useState(sent)
  const [known, setKnown] = useState(sent)
  if (!isSame(known, sent)) {
    setKnown(sent)
    if (!isSame(meant(typed), sent)) type(sent)
  }
  const settle = (of: T) => {
    const amounts = meant(of)
    if (!isSame(amounts, sent)) send(amounts)
  }
  const paused = useEffectEvent(settle)
  const left = useEffectEvent(() => settle(typed))
  useEffect(() => {
    const timer = setTimeout(() => paused(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => () => left(), [])
  return { typed, type, settle: () => settle(typed) }
}

/** Returns what the typed amounts mean: without the point at the end of one that is not finished. */
function meant<T extends Amounts>(typed: T): T {
  const amounts = Object.entries(typed).map(([name, text]) => [name, text.replace(/\.$/, '')])
  return Object.fromEntries(amounts)
}

function isSame(one: Amounts, other: Amounts): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
