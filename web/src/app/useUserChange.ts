import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keys } from '@/api/queries'
import { useSession } from '@/session/session'

/** Forgets what was read for a user when another one logs in without a reload of the page. */
export function useUserChange(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      useSession.subscribe(({ userId }, before) => {
        if (userId === null || before.userId === null || userId === before.userId) return
        client.removeQueries({ type: 'inactive' })
        // The account has its own key for each user, and the previous one's cannot be read again.
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] })
      }),
    [client],
  )
}
