import { type Remaining, remaining, useNow } from '@/lib/clock'

/**
 * Ticks each second by the server's clock. `ended` replaces it when time is up.
 * Not a live region: announcing each second would drown out everything else.
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

/** The time left until a deadline, updated each second. */
export function useRemaining(deadline: string): Remaining {
  return remaining(deadline, useNow())
}
