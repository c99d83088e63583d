import { onlineManager, type Query, type QueryClient } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { isApiError, isUnreachable, mayPass } from '@/api/envelope'
import { Renewal } from './renewal'

/** Shown on screen, and not to be had the last time. */
function waits(query: Query): boolean {
  return query.state.status === 'error' && mayPass(query.state.error) && query.isActive()
}

const PROBE_MS = 10_000

/** A small question, so that nothing on screen flickers for it. */
async function answers(given: AbortSignal): Promise<boolean> {
  try {
    const signal = AbortSignal.any([given, AbortSignal.timeout(PROBE_MS)])
    await read(api.GET('/common/coin', { signal }))
    return true
  } catch (error) {
    return isApiError(error) && !isUnreachable(error)
  }
}

/** Lets the queries of this page come back by themselves. */
export function startRenewal(client: QueryClient, random: () => number): void {
  const cache = client.getQueryCache()
  const renewal = new Renewal({
    waits: () => cache.getAll().some(waits),
    awake: () => onlineManager.isOnline() && document.visibilityState !== 'hidden',
    answers,
    renew: () =>
      client.refetchQueries({ predicate: (query) => waits(query) && query.state.fetchStatus === 'idle' }),
    random,
  })
  cache.subscribe(() => renewal.look())
  onlineManager.subscribe((online) => {
    if (online) renewal.wake()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') renewal.wake()
  })
}
