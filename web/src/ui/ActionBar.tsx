import type { ReactNode } from 'react'

/** The one act of a screen, always within reach of the thumb. `nav`: the bottom navigation is under it. */
export function ActionBar({ nav = false, children }: { nav?: boolean; children: ReactNode }) {
  return (
    <div
      className={`sticky z-10 -mx-4 xs:-mx-5 mt-4 flex gap-2.5 bg-canvas/90 px-4 py-3 backdrop-blur-xl xs:px-5 ${
        nav
          ? 'bottom-[calc(4rem+1px+env(safe-area-inset-bottom))]'
          : 'bottom-0 pb-[calc(0.75rem+env(safe-area-inset-bottom))]'
      }`}
    >
      {children}
    </div>
  )
}
