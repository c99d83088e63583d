import { useLayoutEffect } from 'react'
import { type AppLocation, savedScroll } from '@/navigation/location'

const PATIENCE_MS = 1_000

/** Scrolls to the top on new locations. Back and forward restore the position as soon as the page is tall enough. */
export function useScrollRestoration({ key, action: came }: AppLocation): void {
  useLayoutEffect(() => {
    const wanted = came === 'pop' ? savedScroll(key) : 0
    scrollTo(0, wanted)
    if (scrollY >= wanted) return
    const since = performance.now()
    let frame = requestAnimationFrame(function again() {
      scrollTo(0, wanted)
      if (scrollY < wanted && performance.now() - since < PATIENCE_MS) frame = requestAnimationFrame(again)
    })
    return () => cancelAnimationFrame(frame)
  }, [key, came])
}
