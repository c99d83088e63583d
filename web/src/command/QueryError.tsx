import { isApiError } from '@/api/envelope'
import { ErrorState } from '@/ui/State'
import { useExplained } from './useExplained'

/** The error state of a query: what happened, and once more. */
export function QueryError({ error, retry }: { error: unknown; retry: () => void }) {
  const text = useExplained(error)
  const offline = isApiError(error) && error.code === 'network'
  return <ErrorState text={text} retry={retry} offline={offline} />
}
