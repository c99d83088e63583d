import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { MoreButton, type Pages } from './MoreButton'

/** The end of a paged list. Loads more when it scrolls into view; after a failure, only by its button. */
export function MoreRecords({ list }: { list: Pages }) {
  const foot = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  useEffect(() => {
    const element = foot.current
    if (element === null || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) fetchNextPage()
      },
      { rootMargin: '400px' },
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  return (
    <div ref={foot} className="flex flex-col items-center py-6">
      {hasNextPage ? (
        <MoreButton list={list} />
      ) : (
        <p className="text-muted text-sm">
          <Trans>No more records</Trans>
        </p>
      )}
    </div>
  )
}
