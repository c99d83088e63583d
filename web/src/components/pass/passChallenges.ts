import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import type { PassChallenge } from '@/api/types'
import { serverNow } from '@/lib/clock'
import { local, tab } from '@/lib/storage'
import { deviceId } from '@/session/session'

/**
 * What the user proves: who they are, that the account with this email address is theirs, that they may change their account or
 * its bound address, or that they confirm the order with this ID.
 */
export type PassPurpose =
  | 'login'
  | 'register'
  | `reset ${string}`
  | 'security'
  | 'bind'
  | 'unbind'
  | `confirm ${string}`

/** Creates a challenge. The pass returns this browser to `returnTo`. */
export function createChallenge(purpose: PassPurpose, returnTo: string): Promise<PassChallenge> {
  if (purpose === 'login' || purpose === 'register') {
    const params = { path: { id: deviceId() }, query: { purpose, returnTo } }
    return read(api.GET('/scan/genQrCodeUrl/{id}', { params }))
  }
  if (purpose.startsWith('reset ')) {
    const query = { email: purpose.slice('reset '.length), returnTo }
    return read(api.GET('/scan/resetByEmail', { params: { query } }))
  }
  const query =
    purpose === 'security' || purpose === 'bind' || purpose === 'unbind'
      ? { purpose, returnTo }
      : { purpose: 'confirm' as const, orderId: purpose.slice('confirm '.length), returnTo }
  return read(api.GET('/scan/proof', { params: { query } }))
}

/**
 * Challenges that this browser started, with their secrets. Tabs share them, because a pass app returns in a new tab.
 * The result of a challenge is given only to the browser that holds its secret.
 */
const CHALLENGES = 'pass_challenges'
/** The challenge that this tab waits for, by purpose, so that a reload continues it. */
const WAITING = 'pass_waiting'
/** How long an expired challenge is kept, because the browser may still be returning with an approval. */
const RETURN_MS = 5 * 60_000

function isChallenge(value: unknown): value is PassChallenge {
  if (typeof value !== 'object' || value === null) return false
  const texts = ['id', 'challengeId', 'qrCodeUrl', 'authorizeUrl', 'expiresAt']
  const requester: unknown = Reflect.get(value, 'requester')
  return (
    texts.every((name) => typeof Reflect.get(value, name) === 'string') &&
    typeof Reflect.get(value, 'number') === 'number' &&
    typeof requester === 'object' &&
    requester !== null
  )
}

function all(): PassChallenge[] {
  try {
    const stored: unknown = JSON.parse(local.get(CHALLENGES) ?? '[]')
    const oldest = serverNow() - RETURN_MS
    return Array.isArray(stored)
      ? stored.filter(isChallenge).filter((challenge) => Date.parse(challenge.expiresAt) > oldest)
      : []
  } catch {
    return []
  }
}

function write(challenges: PassChallenge[]): void {
  if (challenges.length === 0) local.remove(CHALLENGES)
  else local.set(CHALLENGES, JSON.stringify(challenges))
}

/** Stores a challenge, so that it survives reloads and the redirect to the pass and back. */
export function storeChallenge(purpose: PassPurpose, challenge: PassChallenge): void {
  write([...all(), challenge])
  tab.set(`${WAITING} ${purpose}`, challenge.challengeId)
}

/** Removes a used or expired challenge. */
export function removeChallenge(challengeId: string): void {
  write(all().filter((challenge) => challenge.challengeId !== challengeId))
}

/** Returns the challenge with this id, if this browser started it. */
export function findChallenge(challengeId: string): PassChallenge | null {
  return all().find((challenge) => challenge.challengeId === challengeId) ?? null
}

/** Returns the challenge that this tab waits for, unless it has expired. */
export function pendingChallenge(purpose: PassPurpose): PassChallenge | null {
  const kept = findChallenge(tab.get(`${WAITING} ${purpose}`) ?? '')
  return kept !== null && Date.parse(kept.expiresAt) > serverNow() ? kept : null
}

/** The approval has expired, was used, or is that of another pass than the account's. */
const APPROVAL_REFUSED: readonly string[] = ['803', '806', '1010', '1012']

/** Returns whether a command was refused because of its approval, so that another one is needed. */
export function isApprovalRefused(error: unknown): boolean {
  return isApiError(error) && APPROVAL_REFUSED.includes(error.code)
}
