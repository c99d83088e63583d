import type { ReactNode } from 'react'

/** The frame of the pages that need no session. */
export function Entrance({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-6 px-6 py-10">
      <h1 className="font-bold text-3xl tracking-tight">{title}</h1>
      {children}
    </main>
  )
}
