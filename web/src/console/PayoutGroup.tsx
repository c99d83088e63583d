import type { ReactNode } from 'react'

/** One kind of problem with payouts, and what becomes of it. */
export function Group({ title, text, children }: { title: ReactNode; text: ReactNode; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold text-lg">{title}</h2>
      <p className="max-w-3xl text-muted text-sm">{text}</p>
      {children}
    </section>
  )
}
