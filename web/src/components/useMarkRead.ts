import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Reports that the user has read up to a number; `null` while the user is not reading. A report that failed is made again when
 * `attempt` changes.
 */
export function useMarkRead(
  report: (upTo: number) => Promise<unknown>,
  upTo: number | null,
  attempt: string,
): void {
  /** The number that is reported, or being reported. */
  const reported = useRef<number | null>(null)
  // Screens pass a new function each time, which is no reason to report again.
  const send = useEffectEvent(report)
  useEffect(() => {
    if (upTo === null || attempt === '' || reported.current === upTo) return
    reported.current = upTo
    void send(upTo).catch(() => {
      if (reported.current === upTo) reported.current = null
    })
  }, [upTo, attempt])
}
