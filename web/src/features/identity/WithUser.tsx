import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { currentUser } from '@/api/queries'
import type { UserInfo } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { useSession } from '@/session/session'
import { Skeleton } from '@/ui/Skeleton'

/** Shows a form about the user's own account once the account is known. It is not read again, so a form keeps what was typed. */
export function WithUser({ children }: { children: (user: UserInfo) => ReactNode }) {
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery({ ...currentUser(userId), refetchInterval: false })
  if (user.data === undefined) {
    return user.isError ? (
      <QueryError error={user.error} retry={() => void user.refetch()} />
    ) : (
      <Skeleton className="mt-3 h-72 w-full rounded-3xl" />
    )
  }
  return (
    <>
      <StaleNotice query={user} />
      {children(user.data)}
    </>
  )
}
