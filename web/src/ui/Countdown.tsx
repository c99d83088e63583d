import { type Remaining, remaining, useNow } from '@/lib/clock'

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

/** What is left until a deadline, second by second. */
export function useRemaining(deadline: string): Remaining {
  return remaining(deadline, useNow())
}
