import { Trans } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import type { Order } from '@/api/expected'
import { useFormats } from '@/i18n/format'

/** Where the coins are, always. */
export function EscrowLine({ order }: { order: Order }) {
  const { amount } = useFormats()
  const what = `${amount(order.quantity)} ${order.base}`
  const place = {
    SELLER: <Trans>{what} are still with the seller.</Trans>,
    ESCROW: <Trans>{what} are locked in escrow on the chain.</Trans>,
    IN_FLIGHT: <Trans>{what} left escrow and are being confirmed by the chain.</Trans>,
    BUYER: <Trans>The coins are at the buyer’s own address.</Trans>,
    RETURNED: <Trans>{what} went back to the seller’s side. Nothing was paid out.</Trans>,
  }[order.money]
  return (
    <p className="mt-2 flex gap-2 text-muted">
      <ShieldCheck size={19} className="mt-0.5 shrink-0 text-brand" aria-hidden="true" />
      <span>{place}</span>
    </p>
  )
}
