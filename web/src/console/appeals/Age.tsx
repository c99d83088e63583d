import { useLingui } from '@lingui/react/macro'
import { useFormats } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { ageParts } from './age'

/** Returns a function that names the time from a moment until another in its two largest units. */
export function useSpan(): (since: string, until: number) => string {
  const { t } = useLingui()
  return (since, until) => {
    const { days, hours, minutes } = ageParts(since, until)
    return days > 0 ? t`${days} d ${hours} h` : hours > 0 ? t`${hours} h ${minutes} min` : t`${minutes} min`
  }
}

/** The time since a moment, in its two largest units. The exact time is in the tooltip. */
export function Age({ since, className = '' }: { since: string; className?: string }) {
  const { time } = useFormats()
  const span = useSpan()
  return (
    <time dateTime={since} title={time(since)} className={`whitespace-nowrap ${className}`}>
      {span(since, useNow())}
    </time>
  )
}
