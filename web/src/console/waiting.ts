import { queryOptions } from '@tanstack/react-query'
import { read } from '@/api/createApi'
import { isIdle } from './activity'
import { api } from './client'
import type { Waiting } from './types'

const WAITING_MS = 30_000

export const WAITING = ['waiting']

/** How much waits for the officer's role. Decisions about appeals change it. */
export const waiting = queryOptions({
  queryKey: WAITING,
  queryFn: () => read(api.GET('/console/waiting')),
  refetchInterval: () => (isIdle() ? false : WAITING_MS),
})

/** Returns how much waits in a section of the console. */
export function waitingIn(path: string, counts: Waiting | undefined): number {
  switch (path) {
    case '/console/appeals':
      return counts?.appeals?.open ?? 0
    case '/console/nicknames':
      return counts?.nicknames ?? 0
    case '/console/certifications':
      return counts?.certifications ?? 0
    case '/console/payouts':
      return counts?.payouts ?? 0
    default:
      return 0
  }
}
