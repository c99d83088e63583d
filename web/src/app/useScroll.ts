import { useLayoutEffect } from 'react'
import { type Place, savedScroll } from '@/navigation/place'

const PATIENCE_MS = 1_000

/** A new place starts at its top; back and forward return to where one was, as soon as the page is tall enough. */
export function useScroll({ key, came }: Place): void {
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
