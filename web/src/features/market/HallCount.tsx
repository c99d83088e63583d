import type { ReactNode } from 'react'

/** Says how long the list with the chosen filters is. The total is undefined without an answer of the server. */
export function HallCount({
  total,
  old,
  text,
}: {
  total: number | undefined
  /** Whether this is the total of the previous filters. */
  old: boolean
  text: (total: number | undefined) => ReactNode
}) {
  return (
    <span aria-live="polite" className={old ? 'opacity-60' : ''}>
      {text(total)}
    </span>
  )
}
