import type { Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'

export const AGAIN_MS = 5_000

const IN_FRONT = new Set([0, 502, 503, 504])

/** No answer came, or one that somebody in front of the product gives, or that it is not ready. */
export function isUnreachable(error: unknown): boolean {
  return isApiError(error) && IN_FRONT.has(error.status)
}

/** Asking again later helps; a refusal would be the same. */
export function mayPass(error: unknown): boolean {
  return isApiError(error) && error.undecided
}

/** Shown on screen, read before, and not to be had now. */
function isOld(query: Query): boolean {
  const { status, data, error } = query.state
  return status === 'error' && data !== undefined && mayPass(error) && query.isActive()
}

/** Whether anything on screen is old because MEC2C does not answer. */
export function somethingIsOld(cache: QueryCache): boolean {
  return cache.getAll().some(isOld)
}

/** Asks again for what is old; what a poll asks for anyway is asked once. */
export function askAgain(client: QueryClient): void {
  void client.refetchQueries({ predicate: (query) => isOld(query) && query.state.fetchStatus === 'idle' })
}

export function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
}

/** Whether what is on screen is old for want of an answer; while it is, it is asked for again and again. */
export function useSomethingIsOld(): boolean {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const old = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => somethingIsOld(cache),
  )
  useEffect(() => {
    if (!old) return
    const timer = setInterval(() => askAgain(client), AGAIN_MS)
    return () => clearInterval(timer)
  }, [old, client])
  return old
}

/** Whether anybody answers at all: a small question, so that nothing on screen flickers for it. */
export async function answers(): Promise<boolean> {
  try {
    await read(api.GET('/common/coin'))
    return true
  } catch (error) {
    return !isUnreachable(error)
  }
}
