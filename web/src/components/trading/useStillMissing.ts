import type { MissingRequirement } from '@/api/types'
import { useNow } from '@/lib/clock'

/** Returns what the user still lacks: what the server said, without what was only a matter of time and has come. */
export function useStillMissing(said: readonly MissingRequirement[]): readonly MissingRequirement[] {
  const now = useNow()
  return said.filter(({ until }) => until === null || Date.parse(until) > now)
}
