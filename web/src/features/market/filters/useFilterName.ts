import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { albumConfig } from '@/api/nftQueries'
import { useMethodNames } from '@/components/methodNames'
import { useLanguageStore } from '@/i18n/catalogs'
import { useFormats } from '@/i18n/format'
import type { HallFilter, Sort } from '../hallState'
import { useNames } from './useNames'
import { useNftFilterTexts } from './useNftFilterTexts'

/** Returns a function that names filters by what they choose. `nfts` tells whether some of them are filters of NFTs. */
export function useFilterName(nfts: boolean): (filter: HallFilter) => string {
  const { t } = useLingui()
  const { amount } = useFormats()
  const oneOf = useNames()
  const { method } = useMethodNames()
  const nft = useNftFilterTexts()
  const albums = useQuery({ ...albumConfig, enabled: nfts }).data ?? []
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
    const album = albums.find((one) => one.code === base)?.name ?? base
    const parts = [
      filter.wish === 'SELL'
        ? t`Sell ${base} for ${quote}`
        : filter.wish === 'BUY'
          ? t`Buy ${base} with ${quote}`
          : base === ''
            ? t`NFTs for ${quote}`
            : t`NFTs of ${album} for ${quote}`,
    ]
    const price = nft.price(filter)
    if (price !== null) parts.push(price)
    if (filter.amount !== '') parts.push(`${amount(filter.amount)} ${quote}`)
    if (methods.length > 0) parts.push(oneOf(methods.map(method)))
    if (region !== '') parts.push(regions.of(region) ?? region)
    if (filter.certified) parts.push(t`Certified`)
    if (filter.fast) parts.push(t`Fast`)
    if (filter.requirementsMet) parts.push(t`Ads I can order from`)
    parts.push(...filter.traits.map(nft.trait))
    if (filter.sort !== '') parts.push(sorts[filter.sort])
    return parts.join(' · ')
  }
}
