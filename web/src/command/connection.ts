import type { Query, QueryCache } from '@tanstack/react-query'
import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isUnreachable } from '@/api/envelope'

/** Returns whether the data of a query is on screen, was loaded before, and cannot be refetched now. */
function isStale(query: Query): boolean {
  const { status, data, error } = query.state
  return status === 'error' && data !== undefined && isUnreachable(error) && query.isActive()
}

/** Returns whether data on screen is old because the platform is unreachable. Refusals do not count. */
export function hasStaleQueries(cache: QueryCache): boolean {
  return cache.getAll().some(isStale)
}

export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
}

export function useHasStaleQueries(): boolean {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => hasStaleQueries(cache),
  )
}
