import { queryOptions } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'

const HOUR = 3_600_000

/** The credit score that posting an ad needs, and what cancellations cost. */
export const reputationSetting = queryOptions({
  queryKey: [...keys.reputation, 'setting'],
  queryFn: () => read(api.GET('/common/credit/setting')),
  staleTime: HOUR,
})
