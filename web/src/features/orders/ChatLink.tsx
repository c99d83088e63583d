import { useLingui } from '@lingui/react/macro'
import { MessageCircle } from 'lucide-react'
import type { Order } from '@/api/types'
import { AppLink } from '@/navigation/navigation'

/** The link to an order's conversation, with the number of unread messages. */
export function ChatLink({ order, className = '' }: { order: Order; className?: string }) {
  const { t } = useLingui()
  const unread = order.unreadMessages
  return (
    <AppLink
      to="/chat"
      query={{ id: order.id }}
      label={unread > 0 ? t`Chat, ${unread} unread` : t`Chat`}
      className={`relative inline-grid size-12 shrink-0 place-items-center rounded-full bg-sunken text-ink ${className}`}
    >
      <MessageCircle size={22} aria-hidden="true" />
      <UnreadCount count={unread} />
    </AppLink>
  )
}

/** The number of unread messages, at the corner of an icon. */
export function UnreadCount({ count }: { count: number }) {
  return count === 0 ? null : (
    <span
      aria-hidden="true"
      className="absolute -top-1 -right-1 min-w-5 rounded-full bg-sell-fill px-1 text-center font-bold text-on-sell text-xs leading-5"
    >
      {count > 99 ? '99+' : count}
    </span>
  )
}
