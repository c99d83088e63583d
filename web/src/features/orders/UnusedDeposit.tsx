import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { ownBalance } from '@/api/queries'
import type { Order } from '@/api/types'
import { WithdrawCondition } from '@/components/ending/WithdrawCondition'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { Gap } from '@/ui/Gap'

/** States in which no deposit was requested yet. */
const BEFORE = ['AWAITING_ACCEPTANCE', 'AWAITING_DEPOSIT', 'REJECTED']

/** Returns whether the deposit is complete or no longer needed, so that the rest is temporary balance. */
function isSent(order: Order): boolean {
  return order.deposit === null && !BEFORE.includes(order.state)
}

/** Returns the asset that the user deposits for the order. Late, partial and excess deposits stay the user's. */
export function depositedCoin(
  order: Pick<Order, 'role' | 'advertiser' | 'kind' | 'base' | 'quote'>,
): string | null {
  if (order.advertiser) return null
  if (order.role === 'SELLER') return order.base
  return order.kind === 'AUTOMATIC' ? order.quote : null
}

/** Deposited coins that the order did not use: temporary balance, and a link to it. */
export function UnusedDeposit({ order }: { order: Order }) {
  const { amount } = useFormats()
  const coin = depositedCoin(order)
  const balance = useQuery({ ...ownBalance, enabled: coin !== null && isSent(order) })
  const line = balance.data?.lines.find((one) => one.asset === coin)
  if (line === undefined || coin === null || !isSent(order)) return null
  const has = compare(line.temporary, '0') === 1
  const coming = compare(line.confirming, '0') === 1
  if (!has && !coming) return null
  const what = `${amount(line.temporary)} ${coin}`
  const more = `${amount(line.confirming)} ${coin}`
  return (
    <p className="flex gap-2">
      <Wallet size={19} className="mt-0.5 shrink-0 text-brand" aria-hidden="true" />
      <span>
        {has ? (
          <Trans>
            You have {what} in your temporary balance: coins you sent that weren’t used in a trade.
          </Trans>
        ) : null}
        <Gap />
        {coming ? (
          <Trans>{more} is being confirmed and will be added to your temporary balance.</Trans>
        ) : null}
        <Gap />
        <WithdrawCondition />
      </span>
    </p>
  )
}
