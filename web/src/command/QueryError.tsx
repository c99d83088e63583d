import { useEffect, useEffectEvent } from 'react'
import { ErrorState } from '@/ui/State'
import { AGAIN_MS, answers, isUnreachable, mayPass, useOnline } from './connection'
import { useExplained } from './useExplained'

/** The error state of a query: what happened, and once more. It goes on by itself as soon as anybody answers again. */
export function QueryError({ error, retry }: { error: unknown; retry: () => void }) {
  const text = useExplained(error)
  const online = useOnline()
  const waiting = mayPass(error)
  const again = useEffectEvent(retry)
  useEffect(() => {
    // A refusal would be the same in five seconds.
    if (!waiting || !online) return
    let current = true
    const timer = setInterval(() => {
      void answers().then((any) => {
        if (any && current) again()
      })
    }, AGAIN_MS)
    return () => {
      current = false
      clearInterval(timer)
    }
  }, [waiting, online])
  return (
    <ErrorState
      why={!online ? 'offline' : isUnreachable(error) ? 'unreachable' : 'refused'}
      text={text}
      retry={retry}
    />
  )
}
