import { lazy, type ReactNode, Suspense, useState } from 'react'

export interface SheetProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  side?: 'bottom' | 'right'
  /** Stays in sight under what scrolls. */
  footer?: ReactNode
}

const Panel = lazy(() => import('./SheetPanel'))

/** A panel from below (or the right) that keeps the focus, closes on Escape, a swipe or a tap beside it. */
export function Sheet(props: SheetProps) {
  // Once opened it stays mounted, so that closing can be animated.
  const [used, setUsed] = useState(props.open)
  if (props.open && !used) setUsed(true)
  if (!used) return null
  return (
    <Suspense>
      <Panel {...props} />
    </Suspense>
  )
}
