import { useSyncExternalStore } from 'react'

/** Returns whether a media query matches, such as one that is created once per module. */
export function useMedia(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (changed) => {
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => query.matches,
  )
}

/** The breakpoint `lg`, from which screens have columns. */
export const DESKTOP = matchMedia('(min-width: 64rem)')
