import { onlineManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { OUTBOX, own } from '@/session/own'
import { useSession, useSignedIn } from '@/session/session'

async function send(client: QueryClient): Promise<void> {
  // Most users have nothing to send, so they need no code for it.
  if (own.namesOf(OUTBOX).length === 0) return
  const { flushAll } = await import('@/features/talk/outbox')
  flushAll(client)
}

/** Sends the messages that wait for a connection or a session, whichever screen is open. */
export function useWaitingMessages(): void {
  const client = useQueryClient()
  const userId = useSession((state) => state.userId)
  const signedIn = useSignedIn()
  useEffect(() => {
    if (!signedIn || userId === null) return
    // Without a connection, the code may be missing, too. The next connection tries again.
    const trySending = () => void send(client).catch(() => null)
    trySending()
    return onlineManager.subscribe((online) => {
      if (online) trySending()
    })
  }, [client, signedIn, userId])
}
