import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys, pollEvery } from '@/api/queries'
import type { MissingRequirement } from '@/api/types'
import { useStillMissing } from '@/components/trading/useStillMissing'
import type { Draft } from './draft'

/** Returns what the user lacks to post a draft, or any ad before a pair is chosen; `asking` until the server has answered. */
export function useRequirements({ side, base, quote, kind }: Draft): {
  missing: readonly MissingRequirement[]
  asking: boolean
} {
  const pair = base === '' || quote === '' ? {} : { base, quote }
  const query = { side, kind: kind ?? ('MANUAL' as const), ...pair }
  const { data, isFetching, isPending, isPlaceholderData } = useQuery({
    queryKey: [...keys.me, 'requirements', query],
    queryFn: () => read(api.GET('/c2c/advert/requirements', { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery(10_000),
  })
  // If the server does not answer, it decides when the ad is created.
  return { missing: useStillMissing(data ?? []), asking: isFetching && (isPending || isPlaceholderData) }
}
