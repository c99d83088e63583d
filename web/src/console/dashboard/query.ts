import { queryOptions } from '@tanstack/react-query'
import { read } from '@/api/createApi'
import { isIdle } from '../activity'
import { api } from '../client'

const REFRESH_MS = 30_000

/** Figures of this age are out of date: four refreshes have failed, or the officer was away. */
const STALE_MS = 120_000

export const DASHBOARD = ['dashboard']

export const dashboard = queryOptions({
  queryKey: DASHBOARD,
  queryFn: () => read(api.GET('/console/dashboard')),
  refetchInterval: () => (isIdle() ? false : REFRESH_MS),
})

/** Returns when figures of this time are out of date. */
export function staleAt(at: string): string {
  return new Date(Date.parse(at) + STALE_MS).toISOString()
}
