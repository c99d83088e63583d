import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryError } from '@/command/QueryError'
import { Skeleton } from '@/ui/Skeleton'

/** The frame of a page: title, actions and content. */
export function Page({
  title,
  actions,
  children,
}: {
  title: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-4">
        <h1 className="font-bold text-2xl tracking-tight">{title}</h1>
        {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

/** Shows the data of a query once it is loaded, and before that that it loads or why it cannot. */
export function Loaded<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <QueryError error={query.error} retry={() => void query.refetch()} />
  return (
    <div className="flex flex-col gap-3">
      <Skeleton className="h-14 w-full rounded-2xl" />
      <Skeleton className="h-64 w-full rounded-2xl" />
    </div>
  )
}
