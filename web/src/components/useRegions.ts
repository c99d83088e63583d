import { useQuery } from '@tanstack/react-query'
import { countries } from '@/api/queries'
import { useLanguageStore } from '@/i18n/catalogs'

/** Returns the two-letter codes of all regions with their names, sorted by name in the language of the user. */
export function useRegions(): readonly (readonly [string, string])[] {
  const { data: places = [] } = useQuery(countries)
  const tag = useLanguageStore((state) => state.language.tag)
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' })
  const named = new Map(
    places
      .filter((one) => one.abb2 !== '' && one.code !== 'YU')
      .map((one) => [one.abb2, names.of(one.abb2) ?? one.name]),
  )
  return Array.from(named).toSorted(([, a], [, b]) => a.localeCompare(b, tag))
}
