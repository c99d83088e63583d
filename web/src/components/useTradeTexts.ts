import { type Traded, tradedText } from '@/api/nftName'
import type { Order } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { useMoney } from './useMoney'

/**
 * Names what changes hands in an order: what is sold, what of it the buyer receives after the fee, and the total that is paid. What
 * is sold is an amount of coins or an NFT, so sentences that contain these names are true for both.
 */
export function useTradeTexts(order: Traded & Pick<Order, 'quantity' | 'receives' | 'total' | 'quote'>): {
  sold: string
  receives: string
  total: string
} {
  const { amount } = useFormats()
  const money = useMoney()
  return {
    sold: tradedText(amount, order, order.quantity),
    receives: tradedText(amount, order, order.receives),
    total: `${money(order.total, order.quote)} ${order.quote}`,
  }
}
