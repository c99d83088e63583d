import { Trans } from '@lingui/react/macro'
import { CircleAlert } from 'lucide-react'
import { isUnreachable } from '@/api/envelope'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import { useErrorText } from './useErrorText'

interface RefetchableQuery {
  data: unknown
  error: unknown
  /** Whether refetching failed, rather than fetching the next page. */
  isRefetchError: boolean
  isFetching: boolean
  refetch: () => unknown
}

/** Warns that the data is old because refetching failed. `OfflineBar` reports that nothing responds at all. */
export function StaleNotice({ query }: { query: RefetchableQuery }) {
  const { data, error, isRefetchError, isFetching, refetch } = query
  const failed = isRefetchError && data !== undefined && !isUnreachable(error)
  const why = useErrorText(failed ? error : null)
  return (
    <div role="status" className="not-empty:my-2 empty:sr-only">
      {failed ? (
        <Notice tone="warn" icon={<CircleAlert size={18} aria-hidden="true" />}>
          <p>
            <Trans>Couldn’t refresh. This may be out of date.</Trans>
            <Gap />
            {why}
          </p>
          <Button tone="quiet" size="small" busy={isFetching} className="-ml-4" onClick={() => refetch()}>
            <Trans>Try again</Trans>
          </Button>
        </Notice>
      ) : null}
    </div>
  )
}
