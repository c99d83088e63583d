import { useLingui } from '@lingui/react/macro'
import { useMethodNames } from '@/components/methodNames'
import { useLanguageStore } from '@/i18n/catalogs'
import { useFormats } from '@/i18n/format'
import type { HallFilter, Sort } from '../hallState'
import { useNames } from './useNames'

/** Returns a function that names filters by what they choose. */
export function useFilterName(): (filter: HallFilter) => string {
  const { t } = useLingui()
  const { amount } = useFormats()
  const oneOf = useNames()
  const { method } = useMethodNames()
  const tag = useLanguageStore((state) => state.language.tag)
  const regions = new Intl.DisplayNames([tag], { type: 'region' })
  const sorts: Record<Sort, string> = {
    price: t`Price, low to high`,
    '-price': t`Price, high to low`,
    quantity: t`Quantity, low to high`,
    '-quantity': t`Quantity, high to low`,
    newest: t`Newest first`,
  }
  return (filter) => {
    const { base, quote, methods, region } = filter
    const parts = [filter.wish === 'SELL' ? t`Sell ${base} for ${quote}` : t`Buy ${base} with ${quote}`]
    if (filter.amount !== '') parts.push(`${amount(filter.amount)} ${quote}`)
    if (methods.length > 0) parts.push(oneOf(methods.map(method)))
    if (region !== '') parts.push(regions.of(region) ?? region)
    if (filter.certified) parts.push(t`Certified`)
    if (filter.fast) parts.push(t`Fast`)
    if (filter.requirementsMet) parts.push(t`Ads I can order from`)
    if (filter.sort !== '') parts.push(sorts[filter.sort])
    return parts.join(' · ')
  }
}
