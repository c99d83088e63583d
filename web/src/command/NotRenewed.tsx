import { Trans } from '@lingui/react/macro'
import { CircleAlert } from 'lucide-react'
import { isUnreachable } from '@/api/envelope'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { useExplained } from './useExplained'

interface Asked {
  data: unknown
  error: unknown
  /** Asking again failed, as against asking for more. */
  isRefetchError: boolean
  isFetching: boolean
  refetch: () => unknown
}

/**
 * What stands here was read before, and was answered with a failure when it was asked for again. That nobody answers
 * at all is said once, above every screen (`OfflineBar`).
 */
export function NotRenewed({ query }: { query: Asked }) {
  const { data, error, isRefetchError, isFetching, refetch } = query
  const failed = isRefetchError && data !== undefined && !isUnreachable(error)
  const why = useExplained(failed ? error : null)
  return (
    <div role="status" className="not-empty:my-2 empty:sr-only">
      {failed ? (
        <Notice tone="warn" icon={<CircleAlert size={18} aria-hidden="true" />}>
          <p>
            <Trans>Couldn’t refresh. This may be out of date.</Trans> {why}
          </p>
          <Button tone="quiet" size="small" busy={isFetching} className="-ml-4" onClick={() => refetch()}>
            <Trans>Try again</Trans>
          </Button>
        </Notice>
      ) : null}
    </div>
  )
}
