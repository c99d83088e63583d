import type { ReactNode } from 'react'
import { CopyButton } from '@/ui/CopyButton'

/** A group of facts in a column of a case. */
export function Panel({
  title,
  aside,
  children,
}: {
  title: ReactNode
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="flex flex-col gap-2 rounded-2xl bg-surface px-4 py-3.5 text-sm">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="font-semibold text-base">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-0.5">
      <dt className="shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

/** A value that officers compare elsewhere, such as an account number or a hash. */
export function CopyFact({ label, value, shown }: { label: string; value: string; shown?: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2">
      <dt className="text-muted">{label}</dt>
      <dd className="ml-auto flex min-w-0 items-center gap-0.5">
        <span title={value} className="min-w-0 text-right [overflow-wrap:anywhere]">
          {shown ?? value}
        </span>
        <span className="-my-1.5 -mr-2.5">
          <CopyButton text={value} what={label} />
        </span>
      </dd>
    </div>
  )
}
