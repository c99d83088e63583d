import { onlineManager, type Query, type QueryClient } from '@tanstack/react-query'
import { isApiError, isRetryable, isUnreachable } from '@/api/envelope'
import { RetryScheduler } from './retryScheduler'

/** Returns whether a query is on screen and its last fetch failed in a retryable way. */
function waits(query: Query): boolean {
  return query.state.status === 'error' && isRetryable(query.state.error) && query.isActive()
}

const PROBE_MS = 10_000

/** Returns whether the server answers a small request whose result is not on screen, so that nothing flickers. */
async function answers(probe: Probe, given: AbortSignal): Promise<boolean> {
  try {
    await probe(AbortSignal.any([given, AbortSignal.timeout(PROBE_MS)]))
    return true
  } catch (error) {
    return isApiError(error) && !isUnreachable(error)
  }
}

/** Sends a small request. */
type Probe = (signal: AbortSignal) => Promise<unknown>

/** Retries the failed queries of this page automatically. */
export function startRetries(client: QueryClient, random: () => number, probe: Probe): void {
  const cache = client.getQueryCache()
  const retries = new RetryScheduler({
    hasFailed: () => cache.getAll().some(waits),
    isActive: () => onlineManager.isOnline() && document.visibilityState !== 'hidden',
    probe: (signal) => answers(probe, signal),
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
