import { useLingui } from '@lingui/react/macro'
import { useFormats } from '@/i18n/format'
import type { HallFilter, Trait } from '../hallState'

export interface NftFilterTexts {
  /** Returns the range of prices, or null without one. */
  price: (filter: Pick<HallFilter, 'priceMin' | 'priceMax' | 'quote'>) => string | null
  trait: (trait: Trait) => string
}

/** Returns what the filters that only NFTs have are called. */
export function useNftFilterTexts(): NftFilterTexts {
  const { t } = useLingui()
  const { amount } = useFormats()
  return {
    price: ({ priceMin, priceMax, quote }) => {
      if (priceMin === '' && priceMax === '') return null
      const [min, max] = [amount(priceMin || '0'), amount(priceMax || '0')]
      if (priceMax === '') return t`From ${min} ${quote}`
      return priceMin === '' ? t`Up to ${max} ${quote}` : t`${min} – ${max} ${quote}`
    },
    trait: ([name, value]) => (name === '' ? value : t`${name}: ${value}`),
  }
}
