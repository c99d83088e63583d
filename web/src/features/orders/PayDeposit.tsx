import { Trans } from '@lingui/react/macro'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Deposit, Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { DepositCard } from '@/components/DepositCard'
import { wrongSecret } from '@/components/FromBalance'

/** The transfer that this person owes the escrow: a seller's deposit, or an automatic order's payment. None while it is frozen. */
export function PayDeposit({ order }: { order: Order }) {
  return order.deposit === null || order.overlay !== null ? null : (
    <Paying order={order} deposit={order.deposit} />
  )
}

function Paying({ order, deposit }: { order: Order; deposit: Deposit }) {
  const give = useCommand({
    run: async ({ fromBalance, secret }: { fromBalance: string; secret: string }, headers, seal) =>
      read(
        api.POST('/c2c/deal/order/deposit/{id}', {
          params: { path: { id: order.id } },
          body: { fromBalance, securityCode: await seal(secret) },
          headers,
        }),
      ),
    touches: [keys.orders, keys.balance],
    refused: wrongSecret,
  })
  return (
    <DepositCard
      payment={order.id}
      deposit={deposit}
      title={order.role === 'SELLER' ? <Trans>Your deposit</Trans> : <Trans>Your on-chain payment</Trans>}
      giving={give}
    />
  )
}
