import { type ReactNode, useState } from 'react'
import { loadable } from './loadable'
import { PanelFailed } from './PanelFailed'

export interface SheetProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  side?: 'bottom' | 'right'
  /** Content that stays visible below the scrolling content. */
  footer?: ReactNode
  /** Said above the footer when it appears. */
  notice?: ReactNode
}

const Panel = loadable<SheetProps>(
  () => import('./SheetPanel'),
  ({ open, onClose }) => (open ? <PanelFailed onClose={onClose} /> : null),
)

/** A panel from the bottom or the right. Traps focus, and closes on Escape, a swipe or a tap outside. */
export function Sheet(props: SheetProps) {
  // Keep the sheet mounted once it was opened, so that closing can be animated.
  const [used, setUsed] = useState(props.open)
  if (props.open && !used) setUsed(true)
  if (!used) return null
  return <Panel {...props} />
}
