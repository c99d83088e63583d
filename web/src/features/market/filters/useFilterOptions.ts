import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { countries } from '@/api/queries'
import { useMethodNames } from '@/components/methodNames'
import { useCoins } from '@/components/useCoins'
import { useLanguageStore } from '@/i18n/catalogs'
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
  const { data: places = [] } = useQuery(countries)
  const tag = useLanguageStore((state) => state.language.tag)
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' })
  const regions = Array.from(
    new Map(
      places
        .filter((one) => one.abb2 !== '' && one.code !== 'YU')
        .map((one) => [one.abb2, names.of(one.abb2) ?? one.name]),
    ),
  ).toSorted(([, a], [, b]) => a.localeCompare(b, tag))
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
