import { type Remaining, remaining, useNow } from '@/lib/clock'

/**
 * Counts down each second by the server's clock. `ended` replaces the countdown when time is up. It is not a live
 * region, because screen readers would announce each second.
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

/** Returns the time left until a deadline, updated each second. */
export function useRemaining(deadline: string): Remaining {
  return remaining(deadline, useNow())
}
