import type { ReactNode } from 'react'

/** The main action of a screen, always within reach of the thumb. `nav`: the bottom navigation is below it. */
export function ActionBar({
  nav = false,
  note = null,
  after = null,
  children,
}: {
  nav?: boolean
  /** The result of the action, above its button. */
  note?: ReactNode
  /** A lesser action, below the buttons. */
  after?: ReactNode
  children: ReactNode
}) {
  return (
    <div
      data-bar="act"
      className={`sticky z-10 -mx-4 xs:-mx-5 mt-4 flex flex-col gap-2.5 bg-canvas/90 px-4 py-3 backdrop-blur-xl xs:px-5 ${
        nav
          ? 'bottom-[calc(var(--spacing)*16+1px+env(safe-area-inset-bottom))] short:bottom-[calc(var(--spacing)*12+1px+env(safe-area-inset-bottom))] lg:bottom-0'
          : 'bottom-0 pb-[calc(var(--spacing)*3+env(safe-area-inset-bottom))]'
      }`}
    >
      {note}
      <div className="flex max-2xs:flex-col-reverse gap-2.5">{children}</div>
      {after}
    </div>
  )
}
