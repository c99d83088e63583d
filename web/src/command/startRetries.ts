import { onlineManager, type Query, type QueryClient } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { isApiError, isRetryable, isUnreachable } from '@/api/envelope'
import { RetryScheduler } from './retryScheduler'

/** Returns whether a query is on screen and its last fetch failed in a retryable way. */
function waits(query: Query): boolean {
  return query.state.status === 'error' && isRetryable(query.state.error) && query.isActive()
}

const PROBE_MS = 10_000

/** Probes the server with a small request whose result is not on screen, so that nothing flickers. */
async function answers(given: AbortSignal): Promise<boolean> {
  try {
    const signal = AbortSignal.any([given, AbortSignal.timeout(PROBE_MS)])
    await read(api.GET('/common/coin', { signal }))
    return true
  } catch (error) {
    return isApiError(error) && !isUnreachable(error)
  }
}

/** Retries the failed queries of this page automatically. */
export function startRetries(client: QueryClient, random: () => number): void {
  const cache = client.getQueryCache()
  const retries = new RetryScheduler({
    hasFailed: () => cache.getAll().some(waits),
    isActive: () => onlineManager.isOnline() && document.visibilityState !== 'hidden',
    probe: answers,
    refetch: () =>
      client.refetchQueries({ predicate: (query) => waits(query) && query.state.fetchStatus === 'idle' }),
    random,
  })
  cache.subscribe(() => retries.schedule())
  onlineManager.subscribe((online) => {
    if (online) retries.retryNow()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') retries.retryNow()
  })
}
