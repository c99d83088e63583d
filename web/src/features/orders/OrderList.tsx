import { useLingui } from '@lingui/react/macro'
import type { Order } from '@/api/types'
import { useOwnQueryParam } from '@/navigation/navigation'
import { DESKTOP, useMedia } from '@/ui/useMedia'
import { OrderRow } from './OrderRow'
import { OrderTable } from './OrderTable'

/** Orders: as a list, or on a desktop as a table that keeps its selection in the address. */
export function OrderList({ orders }: { orders: readonly Order[] }) {
  const { t } = useLingui()
  const selected = useOwnQueryParam('/order', 'id')
  const wide = useMedia(DESKTOP)
  if (wide) return <OrderTable orders={orders} selected={selected} />
  return (
    <ul aria-label={t`Orders`}>
      {orders.map((order) => (
        <OrderRow key={order.id} order={order} />
      ))}
    </ul>
  )
}
