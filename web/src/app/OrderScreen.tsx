import type { ComponentProps } from 'react'
import { LoadFailed } from '@/command/LoadFailed'
import OrderDetailPage from '@/features/orders/OrderDetailPage'
import type ConversationPanel from '@/features/talk/Conversation'
import { loadCatalog } from '@/i18n/catalogs'
import { useQueryParam } from '@/navigation/navigation'
import { loadable } from '@/ui/loadable'
import { DESKTOP, useMedia } from '@/ui/useMedia'

const Conversation = loadable<ComponentProps<typeof ConversationPanel>>(
  async () => {
    const [module] = await Promise.all([
      import('@/features/talk/Conversation'),
      loadCatalog('talk'),
      loadCatalog('notices'),
    ])
    return module
  },
  (_, retry) => <LoadFailed retry={retry} />,
)

/** An order, with its conversation beside it where there is room. */
export default function OrderScreen() {
  const id = useQueryParam('id')
  const wide = useMedia(DESKTOP)
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_25rem] lg:gap-6">
      <OrderDetailPage />
      {wide && id !== '' ? (
        <aside className="sticky top-17 flex h-[calc(100dvh-var(--spacing)*21)] flex-col overflow-hidden rounded-3xl border border-line">
          <Conversation key={id} orderId={id} />
        </aside>
      ) : null}
    </div>
  )
}
