import type { Pair } from '@/api/types'

/** Returns the chain types on which sellers of a pair are paid. Automatic trades pay on one only. */
export function chainTypesOf(pair: Pair | undefined, automatic: boolean): readonly string[] {
  if (pair === undefined) return []
  if (!automatic) return pair.chainTypes
  return pair.automaticChainType === null ? [] : [pair.automaticChainType]
}
