import { Trans } from '@lingui/react/macro'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { QueryError } from '@/command/QueryError'
import { Button } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { EmptyState } from '@/ui/State'
import { type Column, DataTable } from './DataTable'

/** The query of a list that is loaded page by page. */
interface PagedQuery {
  isError: boolean
  error: unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  refetch: () => Promise<unknown>
  fetchNextPage: () => Promise<unknown>
}

/** A table of what waits for an officer, loaded page by page, and what it shows while it loads, fails or is empty. */
export function PagedTable<T>({
  query,
  rows,
  empty,
  above,
  ...table
}: {
  query: PagedQuery
  /** The rows of all loaded pages; undefined before the first one. */
  rows: readonly T[] | undefined
  empty: { icon: LucideIcon; title: ReactNode; text: ReactNode }
  /** What acts on several rows. */
  above?: ReactNode
  label: string
  columns: readonly Column<T>[]
  rowKey: (row: T) => string
  onOpen: (row: T) => void
}) {
  if (rows === undefined)
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Skeleton className="h-64 w-full rounded-2xl" />
    )
  if (rows.length === 0) return <EmptyState {...empty} />
  return (
    <>
      {above}
      <DataTable {...table} rows={rows} />
      {query.hasNextPage ? (
        <Button tone="plain" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      ) : null}
    </>
  )
}
