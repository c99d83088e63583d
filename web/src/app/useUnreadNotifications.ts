import { useQuery } from '@tanstack/react-query'
import { unreadNotifications } from '@/api/notifications'
import { useSignedIn } from '@/session/session'

/** Returns the number of notifications that the user has not seen. */
export function useUnreadNotifications(): number {
  return useQuery({ ...unreadNotifications, enabled: useSignedIn() }).data?.count ?? 0
}
