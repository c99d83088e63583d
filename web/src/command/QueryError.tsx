import { isUnreachable } from '@/api/envelope'
import { ErrorState } from '@/ui/State'
import { useOnline } from './connection'
import { useExplained } from './useExplained'

/** The error state of a query: what happened, and once more. What may pass comes back by itself (`renewal.ts`). */
export function QueryError({ error, retry }: { error: unknown; retry: () => void }) {
  const text = useExplained(error)
  const online = useOnline()
  return (
    <ErrorState
      why={!online ? 'offline' : isUnreachable(error) ? 'unreachable' : 'refused'}
      text={text}
      retry={retry}
    />
  )
}
