import { isUnreachable } from '@/api/envelope'
import { ErrorState } from '@/ui/State'
import { useOnline } from './connection'
import { useErrorText } from './useErrorText'

/** The error state of a query, with a retry. Retryable failures also retry automatically (`retryScheduler.ts`). */
export function QueryError({ error, retry }: { error: unknown; retry: () => void }) {
  const text = useErrorText(error)
  const online = useOnline()
  return (
    <ErrorState
      why={!online ? 'offline' : isUnreachable(error) ? 'unreachable' : 'refused'}
      text={text}
      retry={retry}
    />
  )
}
