import { removeOwn } from '@/session/own'
import { clearSession, useSession } from '@/session/session'
import { api, completed } from './client'

/** Ends the session on this device and on the server. If the server is unreachable, ends it on this device only. */
export async function logOut(): Promise<void> {
  const { userId } = useSession.getState()
  await completed(api.POST('/logout', { body: {} })).catch(() => null)
  clearSession()
  // After the session, because without one nothing is stored any more.
  if (userId !== null) removeOwn(userId)
  location.replace('/login?out=1')
}
