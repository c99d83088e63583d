import { Trans } from '@lingui/react/macro'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Deposit, Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { DepositCard } from '@/components/DepositCard'
import { isWrongSecurityPassword } from '@/components/SecurityPasswordField'
import { isSuspended } from './labels'

/** The deposit that the user owes: escrow, or the payment of an automatic order. Hidden while the order is frozen. */
export function PayDeposit({ order }: { order: Order }) {
  return order.deposit === null || isSuspended(order) ? null : (
    <Paying order={order} deposit={order.deposit} />
  )
}

function Paying({ order, deposit }: { order: Order; deposit: Deposit }) {
  const fund = useCommand({
    run: async ({ fromBalance, secret }: { fromBalance: string; secret: string }, headers, seal) =>
      read(
        api.POST('/c2c/deal/order/deposit/{id}', {
          params: { path: { id: order.id } },
          body: { fromBalance, securityCode: await seal(secret) },
          headers,
        }),
      ),
    touches: [keys.orders, keys.balance],
    refused: isWrongSecurityPassword,
  })
  return (
    <DepositCard
      payment={order.id}
      deposit={deposit}
      title={order.role === 'SELLER' ? <Trans>Your deposit</Trans> : <Trans>Your on-chain payment</Trans>}
      fund={fund}
    />
  )
}
