import { useEffect, useEffectEvent, useState } from 'react'

const TYPING_MS = 400

/** An amount that is sent when typing pauses. One that changes otherwise replaces what was typed. */
export function useTypedAmount(
  sent: string,
  send: (amount: string) => void,
): [typed: string, type: (typed: string) => void] {
  const [typed, type] = useState(sent)
  const [known, setKnown] = useState(sent)
  if (known !== sent) {
    setKnown(sent)
    if (meant(typed) !== sent) type(sent)
  }
  const paused = useEffectEvent((amount: string) => {
    if (amount !== sent) send(amount)
  })
  useEffect(() => {
    const timer = setTimeout(() => paused(meant(typed)), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, type]
}

/** Returns what was typed without the point at the end of an unfinished amount. */
function meant(typed: string): string {
  return typed.replace(/\.$/, '')
}
