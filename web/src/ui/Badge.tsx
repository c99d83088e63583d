import { useLingui } from '@lingui/react/macro'
import { BadgeCheck, ShieldCheck, Zap } from 'lucide-react'

/** Certified, verified, fast: a picture with its meaning in words for those who cannot see or do not know it. */
export function TraderBadges({
  certified,
  verified,
  fast = false,
}: {
  certified: boolean
  verified: boolean
  fast?: boolean
}) {
  const { t } = useLingui()
  return (
    <span className="inline-flex items-center gap-1">
      {certified ? (
        <Mark label={t`Certified trader: official guarantee, with compensation if something goes wrong`}>
          <BadgeCheck size={17} className="text-warn" />
        </Mark>
      ) : null}
      {verified ? (
        <Mark label={t`Verified trader: official guarantee`}>
          <ShieldCheck size={17} className="text-info" />
        </Mark>
      ) : null}
      {fast ? (
        <Mark label={t`Fast trader: confirms in under 30 minutes on average`}>
          <Zap size={16} className="text-brand" />
        </Mark>
      ) : null}
    </span>
  )
}

function Mark({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <span role="img" aria-label={label} title={label} className="inline-flex">
      {children}
    </span>
  )
}

const TONES = {
  neutral: 'bg-sunken text-muted',
  good: 'bg-brand-soft text-brand',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-sell-soft text-sell',
  info: 'bg-info-soft text-info',
} as const

export type PillTone = keyof typeof TONES

/** A state in a word. */
export function Pill({ tone = 'neutral', children }: { tone?: PillTone; children: React.ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2.5 py-1 font-medium text-xs leading-none ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}

const HUES = ['#7c5cff', '#0a84c6', '#b3562a', '#8a3fa0', '#1c7a6a', '#a8434f', '#5a6b1f']

/** A letter on a colour of its own, the same for the same name everywhere. */
export function Avatar({ name, size = 32 }: { name: string; size?: number }) {
  let sum = 0
  for (const letter of name) sum += letter.codePointAt(0) ?? 0
  return (
    <span
      aria-hidden="true"
      className="grid shrink-0 place-items-center rounded-full font-semibold text-white uppercase"
      style={{ width: size, height: size, fontSize: size * 0.44, background: HUES[sum % HUES.length] }}
    >
      {Array.from(name)[0] ?? '?'}
    </span>
  )
}
