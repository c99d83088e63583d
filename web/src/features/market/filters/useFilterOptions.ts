import { useLingui } from '@lingui/react/macro'
import { useMethodNames } from '@/components/methodNames'
import { useCoins } from '@/components/useCoins'
import { useRegions } from '@/components/useRegions'
import { type HallFilter, methodTypes, type Sort } from '../hallState'

type Options<T extends string> = readonly (readonly [T, string])[]

export interface FilterOptions {
  /** Empty if the quote is a coin. */
  methods: Options<string>
  regions: Options<string>
  sorts: Options<Sort | ''>
}

/** Returns what can be chosen for each filter, with names in the language of the user. */
export function useFilterOptions(hall: HallFilter): FilterOptions {
  const { t } = useLingui()
  const { method: methodName } = useMethodNames()
  const { pairs } = useCoins()
  const regions = useRegions()
  const methods = methodTypes(hall, pairs).map((type) => [type, methodName(type)] as const)
  return {
    methods,
    regions: [['', t`Any region`], ...regions],
    sorts: [
      ['', t`Best price first`],
      ['price', t`Price, low to high`],
      ['-price', t`Price, high to low`],
      ['-quantity', t`Quantity, high to low`],
      ['quantity', t`Quantity, low to high`],
    ],
  }
}
