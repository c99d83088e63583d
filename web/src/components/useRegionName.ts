import { useLanguageStore } from '@/i18n/catalogs'

/** Returns a function for the names of regions in the language of the user, by their two-letter codes. */
export function useRegionName(): (code: string) => string {
  const tag = useLanguageStore((state) => state.language.tag)
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'code' })
  return (code) => names.of(code) ?? code
}
