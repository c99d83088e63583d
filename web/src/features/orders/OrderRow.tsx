import { Trans } from '@lingui/react/macro'
import { ChevronRight } from 'lucide-react'
import type { Order } from '@/api/types'
import { LazyNftLine } from '@/components/LazyNft'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { News, OrderState } from './OrderState'

/** An order in the list: side, amount, counterparty, and the deadline when it is the user's turn. */
export function OrderRow({ order }: { order: Order }) {
  const { amount, time } = useFormats()
  const money = useMoney()
  const buying = order.role === 'BUYER'
  const nft = order.nft
  const traded = nft === null ? order.base : 'NFT'
  return (
    <li className="border-line border-b last:border-0">
      <AppLink to="/orderDetail" query={{ id: order.id }} className="flex items-center gap-3 py-4">
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span className={`font-semibold ${buying ? 'text-brand' : 'text-sell'}`}>
              {buying ? <Trans>Buy {traded}</Trans> : <Trans>Sell {traded}</Trans>}
            </span>
            <span className="flex flex-wrap items-center gap-2">
              <OrderState order={order} />
            </span>
          </span>
          <span className="mt-1 flex flex-wrap items-baseline justify-between gap-x-3">
            {nft === null ? (
              <span className="font-semibold text-lg">
                {amount(order.quantity)} {order.base}
              </span>
            ) : (
              <LazyNftLine nft={nft} />
            )}
            <span>
              {money(order.total, order.quote)} {order.quote}
            </span>
          </span>
          <span className="mt-0.5 flex flex-wrap justify-between gap-x-3 text-muted text-sm">
            <span className="flex items-center gap-2">
              {order.counterparty.nickname}
              <News order={order} />
            </span>
            <span>{time(order.createdAt)}</span>
          </span>
        </span>
        <ChevronRight size={18} className="shrink-0 text-muted" aria-hidden="true" />
      </AppLink>
    </li>
  )
}
