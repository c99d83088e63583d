import { create } from 'zustand'
import { cookies, local } from '@/lib/storage'
import { uuid } from '@/lib/uuid'

const TOKEN = 'MEC2C-token'
const USER = 'userId'
const DEVICE = 'ME-uuid'
const DAYS = 7

/** Who is signed in on this device. Nothing from the server but the token and the id is kept here. */
export interface Session {
  token: string | null
  userId: string | null
}

function stored(): Session {
  return { token: cookies.get(TOKEN), userId: cookies.get(USER) ?? local.get(USER) }
}

export const useSession = create<Session>(stored)

/** A session needs both; half a session is none. */
function isWhole({ token, userId }: Session): boolean {
  return token !== null && token !== '' && userId !== null && userId !== ''
}

/** For handlers and guards; a component follows it by `useSignedIn`. */
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

export function forgetSession(): void {
  cookies.set(TOKEN, '', 0)
  cookies.set(USER, '', 0)
  for (const key of [USER, 'isCreditChange', 'orderStatus', 'hasCheckoutOfflineOrderTip']) local.remove(key)
  useSession.setState({ token: null, userId: null })
}

/** This device's id, made once: it names the socket and the QR log-in. */
export function deviceId(): string {
  const known = local.get(DEVICE)
  if (known !== null) return known
  const made = uuid()
  local.set(DEVICE, made)
  return made
}
