import { useFormats } from '@/i18n/format'
import type { Decimal } from '@/lib/decimal'
import { useCoins } from './useCoins'

/**
 * Returns the format of an amount with the decimals that its asset needs: 20.50 USD and 20 USD, but 20.5 USDT. Truncates to what
 * the asset has.
 */
export function useMoney(): (value: Decimal, asset: string) => string {
  const { amount, money } = useFormats()
  const coins = useCoins()
  return (value, asset) => {
    const scale = coins.scale(asset)
    return coins.isFiat(asset) && value.includes('.') ? money(value, scale) : amount(value, scale)
  }
}
