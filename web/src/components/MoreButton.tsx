import { Trans } from '@lingui/react/macro'
import { Button } from '@/ui/Button'

export interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** The button that loads the next page of a list, and why it has to be pressed again after a failure. */
export function MoreButton({ list }: { list: Pages }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  if (!hasNextPage) return null
  return (
    <>
      {isFetchNextPageError && !isFetchingNextPage ? (
        <p role="status" className="text-center text-sm text-warn">
          <Trans>Couldn’t load more.</Trans>
        </p>
      ) : null}
      <Button tone="quiet" size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchNextPageError ? <Trans>Try again</Trans> : <Trans>Show more</Trans>}
      </Button>
    </>
  )
}
