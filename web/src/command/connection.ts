import type { Query, QueryCache } from '@tanstack/react-query'
import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isUnreachable } from '@/api/envelope'

/** Shown on screen, read before, and nobody there who could give it anew. */
function isOld(query: Query): boolean {
  const { status, data, error } = query.state
  return status === 'error' && data !== undefined && isUnreachable(error) && query.isActive()
}

/** Whether anything on screen is old because MEC2C does not answer. An answer that is a failure is none of these. */
export function somethingIsOld(cache: QueryCache): boolean {
  return cache.getAll().some(isOld)
}

export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
}

/** Whether what is on screen is old for want of an answer. */
export function useSomethingIsOld(): boolean {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => somethingIsOld(cache),
  )
}
