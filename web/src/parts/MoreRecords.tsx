import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { Button } from '@/ui/Button'

interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** The foot of a long list: fetches on as it comes into sight; a button does it too. */
export function MoreRecords({ list }: { list: Pages }) {
  const foot = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  useEffect(() => {
    const element = foot.current
    if (element === null || !hasNextPage || isFetchingNextPage) return
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) fetchNextPage()
      },
      { rootMargin: '400px' },
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <div ref={foot} className="flex justify-center py-6">
      {hasNextPage ? (
        <Button tone="quiet" size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      ) : (
        <p className="text-muted text-sm">
          <Trans>No more records</Trans>
        </p>
      )}
    </div>
  )
}
