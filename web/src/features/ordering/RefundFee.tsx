import { Trans } from '@lingui/react/macro'
import type { HallAdvert } from '@/api/types'
import { useCoins } from '@/components/useCoins'
import { useFormats } from '@/i18n/format'

/**
 * What a refund costs sellers who cause the cancellation of an order for which they have deposited. Other orders are not
 * refunded at the expense of the user who places them.
 */
export function RefundFee({ advert }: { advert: HallAdvert }) {
  const { amount } = useFormats()
  const coins = useCoins()
  const fee = coins.returnFee(advert.base)
  if (advert.side === 'SELL' || advert.kind === 'AUTOMATIC' || fee === null) return null
  return (
    <Trans>
      If you cause the order to be cancelled after your deposit, a network fee of {amount(fee)} {advert.base}{' '}
      is deducted from the refund.
    </Trans>
  )
}
