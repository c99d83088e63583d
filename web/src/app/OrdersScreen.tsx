import type { ComponentProps } from 'react'
import { LoadFailed } from '@/command/LoadFailed'
import type Beside from '@/features/orders/OrderBeside'
import OrdersPage from '@/features/orders/OrdersPage'
import { loadCatalog } from '@/i18n/catalogs'
import { useOwnQueryParam } from '@/navigation/navigation'
import { loadable } from '@/ui/loadable'
import { DESKTOP, useMedia } from '@/ui/useMedia'

/** Not fetched by phones, where an order has its own screen. */
const OrderBeside = loadable<ComponentProps<typeof Beside>>(
  async () => {
    const [module] = await Promise.all([import('@/features/orders/OrderBeside'), loadCatalog('ending')])
    return module
  },
  (_, retry) => <LoadFailed retry={retry} />,
)

/** The user's orders, and on a desktop the selected one beside them. */
export default function OrdersScreen() {
  const id = useOwnQueryParam('/order', 'id')
  const wide = useMedia(DESKTOP)
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(20rem,30%,24rem)] lg:gap-6">
      <OrdersPage />
      {wide ? <OrderBeside id={id} /> : null}
    </div>
  )
}
