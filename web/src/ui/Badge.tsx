import { useLingui } from '@lingui/react/macro'
import { BadgeCheck, ShieldCheck, Zap } from 'lucide-react'
import { useEffect, useState } from 'react'

/** Maximum width of a tooltip, in pixels. */
const EXPLAINED_WIDTH = 260
/** Height of a tooltip plus the bars at the bottom, in pixels. */
const EXPLAINED_HEIGHT = 190

/** The badges of certified, verified and fast traders: icons with an explaining text. */
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
    <span className="inline-flex items-center">
      {certified ? (
        <Mark label={t`Certified trader: official guarantee, with compensation if something goes wrong`}>
          <BadgeCheck size={17} aria-hidden="true" className="text-warn" />
        </Mark>
      ) : null}
      {verified ? (
        <Mark label={t`Verified trader: official guarantee`}>
          <ShieldCheck size={17} aria-hidden="true" className="text-info" />
        </Mark>
      ) : null}
      {fast ? (
        <Mark label={t`Fast trader: confirms in under 30 minutes on average`}>
          <Zap size={16} aria-hidden="true" className="text-brand" />
        </Mark>
      ) : null}
    </span>
  )
}

/** An icon that explains itself when tapped, focused or hovered. */
function Mark({ label, children }: { label: string; children: React.ReactNode }) {
  const [at, setAt] = useState<{ left: number; top?: number; bottom?: number } | null>(null)
  const open = (mark: HTMLElement) => {
    const { left, top, bottom } = mark.getBoundingClientRect()
    const room = document.body.getBoundingClientRect().width - EXPLAINED_WIDTH - 8
    const below = bottom + EXPLAINED_HEIGHT < innerHeight
    setAt({
      left: Math.max(8, Math.min(left, room)),
      ...(below ? { top: bottom + 4 } : { bottom: innerHeight - top + 4 }),
    })
  }
  const close = () => setAt(null)
  useEffect(() => {
    if (at === null) return
    // The tooltip does not scroll with the list, so close it.
    const scrolled = () => setAt(null)
    addEventListener('scroll', scrolled, { capture: true, passive: true })
    return () => removeEventListener('scroll', scrolled, { capture: true })
  }, [at])
  return (
    <>
      <button
        type="button"
        aria-label={label}
        onClick={(event) => open(event.currentTarget)}
        onFocus={(event) => open(event.currentTarget)}
        onPointerEnter={(event) => {
          if (event.pointerType === 'mouse') open(event.currentTarget)
        }}
        onPointerLeave={(event) => {
          if (event.pointerType === 'mouse') close()
        }}
        onBlur={close}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
        }}
        className="relative z-1 -my-1 inline-grid size-6 place-items-center rounded-full"
      >
        {children}
      </button>
      {at === null ? null : (
        // The button has the same accessible name.
        <span
          aria-hidden="true"
          style={{ ...at, maxWidth: EXPLAINED_WIDTH }}
          className="pointer-events-none fixed z-50 w-max rounded-xl bg-ink px-3 py-2 text-canvas text-sm leading-snug shadow-lg"
        >
          {label}
        </span>
      )}
    </>
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

/** An initial on a color derived from the name. */
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
