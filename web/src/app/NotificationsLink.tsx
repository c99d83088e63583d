import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { unreadNotifications } from '@/api/notifications'
import { AppLink } from '@/navigation/navigation'
import { UnreadDot } from './UnreadDot'

/** The link to the notifications, with a dot while some are unread. For users with a session. */
export default function NotificationsLink() {
  const { t } = useLingui()
  const unread = useQuery(unreadNotifications).data?.count ?? 0
  return (
    <AppLink
      to="/notifications"
      className="relative inline-grid size-11 shrink-0 place-items-center rounded-full hover:bg-sunken max-2xs:hidden"
    >
      <Bell size={21} strokeWidth={1.8} aria-hidden="true" />
      <span className="sr-only">{unread > 0 ? t`Notifications, unread: ${unread}` : t`Notifications`}</span>
      {unread > 0 ? <UnreadDot /> : null}
    </AppLink>
  )
}
