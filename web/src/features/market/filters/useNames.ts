import { useLanguageStore } from '@/i18n/catalogs'

/** Returns a function that joins names of which one is enough, such as `Alipay or WeChat`. */
export function useNames(): (names: readonly string[]) => string {
  const tag = useLanguageStore((state) => state.language.tag)
  const list = new Intl.ListFormat(tag, { type: 'disjunction' })
  return (names) => list.format(names)
}
