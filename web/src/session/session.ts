import { create } from 'zustand'
import { cookies, local } from '@/lib/storage'
import { uuid } from '@/lib/uuid'

const TOKEN = 'MEC2C-token'
const USER = 'userId'
const DEVICE = 'ME-uuid'
const DAYS = 7

/** The key of the filters of the hall that the user has saved on this device. */
export const SAVED_FILTERS = 'savedFilters'

/** The session on this device. Of the server's data, only the token and the user id are stored. */
export interface Session {
  token: string | null
  userId: string | null
}

function stored(): Session {
  return { token: cookies.get(TOKEN), userId: cookies.get(USER) ?? local.get(USER) }
}

export const useSession = create<Session>(stored)

function isWhole({ token, userId }: Session): boolean {
  return token !== null && token !== '' && userId !== null && userId !== ''
}

/** Returns whether there is a session, for handlers and guards. Components use `useSignedIn`. */
export function isSignedIn(): boolean {
  return isWhole(useSession.getState())
}

export const useSignedIn = () => useSession(isWhole)

export function signIn(token: string, userId: string): void {
  cookies.set(TOKEN, token, DAYS)
  cookies.set(USER, userId, DAYS)
  local.set(USER, userId)
  useSession.setState({ token, userId })
}

export function clearSession(): void {
  const kept = cookies.get(TOKEN)
  const { token } = useSession.getState()
  if (kept !== null && token !== null && kept !== token) {
    // Another tab has logged in since. Its session goes on.
    useSession.setState({ token: null, userId: null })
    return
  }
  cookies.set(TOKEN, '', 0)
  cookies.set(USER, '', 0)
  for (const key of [USER, 'isCreditChange', 'orderStatus', 'hasCheckoutOfflineOrderTip', SAVED_FILTERS])
    local.remove(key)
  useSession.setState({ token: null, userId: null })
}

/** Returns a random id of this device, for the socket and the QR login. */
export function deviceId(): string {
  const known = local.get(DEVICE)
  if (known !== null) return known
  const made = uuid()
  local.set(DEVICE, made)
  return made
}
