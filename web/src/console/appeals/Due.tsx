import { Trans } from '@lingui/react/macro'
import { useFormats } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { useSpan } from './Age'
import { dueState } from './age'

const TONES = { later: 'text-muted', soon: 'text-warn', over: 'text-sell font-semibold' } as const

/** By when an appeal should be decided: the color says whether it is soon or overdue, and so do the words. */
export function Due({ at }: { at: string }) {
  const { time } = useFormats()
  const now = useNow()
  const span = useSpan()
  const state = dueState(at, now)
  const left = state === 'over' ? span(at, now) : span(new Date(now).toISOString(), Date.parse(at))
  return (
    <time dateTime={at} title={time(at)} className={TONES[state]}>
      {state === 'over' ? <Trans>overdue for {left}</Trans> : <Trans>due in {left}</Trans>}
    </time>
  )
}
