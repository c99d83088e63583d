import { Trans } from '@lingui/react/macro'
import type { Order } from '@/api/expected'
import { DepositCard } from '@/parts/DepositCard'

/** The transfer that this person owes the escrow: a seller's deposit, or an automatic order's payment. */
export function PayDeposit({ order }: { order: Order }) {
  if (order.deposit === null) return null
  return (
    <DepositCard
      deposit={order.deposit}
      title={order.role === 'SELLER' ? <Trans>Your deposit</Trans> : <Trans>Your payment on the chain</Trans>}
    />
  )
}
