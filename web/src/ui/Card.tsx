import type { ReactNode } from 'react'

export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <section className={`rounded-3xl bg-surface p-4 xs:p-5 ${className}`}>{children}</section>
}

export function CardTitle({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
      <h2 className="font-semibold text-base">{children}</h2>
      {aside}
    </div>
  )
}

/** A line with its label on the left and its value on the right. */
export function Line({
  label,
  children,
  strong = false,
}: {
  label: ReactNode
  children: ReactNode
  strong?: boolean
}) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
      <dt className="text-muted text-sm">{label}</dt>
      <dd
        className={`ml-auto min-w-0 text-right [overflow-wrap:anywhere] ${strong ? 'font-semibold text-lg' : ''}`}
      >
        {children}
      </dd>
    </div>
  )
}

const NOTICE = {
  info: 'bg-info-soft text-info',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-sell-soft text-sell',
  good: 'bg-brand-soft text-brand',
} as const

/** A note next to the action that it concerns. */
export function Notice({
  tone,
  icon,
  children,
}: {
  tone: keyof typeof NOTICE
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={`flex gap-3 rounded-2xl px-4 py-3 text-sm leading-relaxed ${NOTICE[tone]}`}>
      {icon === undefined ? null : <span className="mt-0.5 shrink-0">{icon}</span>}
      <div className="min-w-0">{children}</div>
    </div>
  )
}
