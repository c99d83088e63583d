import { useLingui } from '@lingui/react/macro'
import { useFormats } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { ageParts } from './age'

/** The time since a moment, in its two largest units. The exact time is in the tooltip. */
export function Age({ since, className = '' }: { since: string; className?: string }) {
  const { t } = useLingui()
  const { time } = useFormats()
  const { days, hours, minutes } = ageParts(since, useNow())
  const text =
    days > 0 ? t`${days} d ${hours} h` : hours > 0 ? t`${hours} h ${minutes} min` : t`${minutes} min`
  return (
    <time dateTime={since} title={time(since)} className={`whitespace-nowrap ${className}`}>
      {text}
    </time>
  )
}
