import { useLingui } from '@lingui/react/macro'
import type { Order } from '@/api/types'
import { useOwnQueryParam } from '@/navigation/navigation'
import { DESKTOP, useMedia } from '@/ui/useMedia'
import { OrderRow } from './OrderRow'
import { OrderTable } from './OrderTable'

/** Orders: as a list, or on a desktop as a table that keeps its selection in the address. `old`: others are being read. */
export function OrderRows({ orders, old }: { orders: readonly Order[]; old: boolean }) {
  const { t } = useLingui()
  const selected = useOwnQueryParam('/order', 'id')
  const wide = useMedia(DESKTOP)
  const faded = `transition-opacity ${old ? 'opacity-50' : ''}`
  if (wide) {
    return (
      <div aria-busy={old || undefined} className={faded}>
        <OrderTable orders={orders} selected={selected} />
      </div>
    )
  }
  return (
    <ul aria-label={t`Orders`} aria-busy={old || undefined} className={faded}>
      {orders.map((order) => (
        <OrderRow key={order.id} order={order} />
      ))}
    </ul>
  )
}
