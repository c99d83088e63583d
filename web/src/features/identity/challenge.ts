import type { PassChallenge } from '@/api/types'
import { serverNow } from '@/lib/clock'
import { local, tab } from '@/lib/storage'

export type PassPurpose = 'login' | 'register'

/**
 * The challenges of this browser with their secrets. They are shared by its tabs, because a pass app returns in a new tab.
 * Only a browser that holds the secret of a challenge gets its result.
 */
const CHALLENGES = 'pass_challenges'
/** The challenge that this tab is waiting for, by purpose, so that a reload goes on with it. */
const WAITING = 'pass_waiting'
/** An answer may still be on its way back when the challenge expires. */
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

/** Remembers a challenge across a reload, and across the way to the pass and back. */
export function keepChallenge(purpose: PassPurpose, challenge: PassChallenge): void {
  write([...all(), challenge])
  tab.set(`${WAITING} ${purpose}`, challenge.challengeId)
}

/** Forgets a challenge that has been used or cannot be used any more. */
export function forgetChallenge(challengeId: string): void {
  write(all().filter((challenge) => challenge.challengeId !== challengeId))
}

/** The challenge that this browser started under this id. */
export function startedHere(challengeId: string): PassChallenge | null {
  return all().find((challenge) => challenge.challengeId === challengeId) ?? null
}

/** The challenge that this tab is waiting for, if it has not expired. */
export function keptChallenge(purpose: PassPurpose): PassChallenge | null {
  const kept = startedHere(tab.get(`${WAITING} ${purpose}`) ?? '')
  return kept !== null && Date.parse(kept.expiresAt) > serverNow() ? kept : null
}
