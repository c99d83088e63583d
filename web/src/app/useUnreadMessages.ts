import { useQuery } from '@tanstack/react-query'
import { unreadMessages } from '@/api/queries'
import { useSignedIn } from '@/session/session'

/** Returns the number of unread messages in all conversations. */
export function useUnreadMessages(): number {
  return useQuery({ ...unreadMessages, enabled: useSignedIn() }).data?.unread ?? 0
}
