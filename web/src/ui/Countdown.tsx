import { useEffect, useState } from 'react'
import { remaining } from '@/lib/clock'

/**
 * Ticks each second by the server's clock. `ended` replaces it when the time is over.
 * Screen readers hear it only when they go there: a live region each second would talk over everything.
 */
export function Countdown({
  deadline,
  ended,
  className = '',
}: {
  deadline: string
  ended?: React.ReactNode
  className?: string
}) {
  const left = useRemaining(deadline)
  if (left.over && ended !== undefined) return ended
  const soon = left.ms < 120_000
  return (
    <time
      dateTime={deadline}
      role="timer"
      aria-live="off"
      className={`tabular-nums ${soon ? 'text-warn' : ''} ${className}`}
    >
      {left.text}
    </time>
  )
}

export function useRemaining(deadline: string) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return readClock(deadline)
}

function readClock(deadline: string) {
  'use no memo'
  return remaining(deadline)
}
