import { useEffect, useState } from 'react'

/** How long a value must stay the same before the server is asked about it, in milliseconds. */
const PAUSE = 300

/** Returns a typed value once its user pauses. */
export function usePaused<T>(typed: T): T {
  const [paused, setPaused] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  return paused
}
