import type { PassChallenge } from '@/api/types'
import { serverNow } from '@/lib/clock'

const KEY = 'pass_challenge'

/** Remembers a challenge across the redirect to the pass and back; `null` forgets it. */
export function keepChallenge(purpose: string, challenge: PassChallenge | null): void {
  if (challenge === null) sessionStorage.removeItem(`${KEY} ${purpose}`)
  else sessionStorage.setItem(`${KEY} ${purpose}`, JSON.stringify(challenge))
}

function isChallenge(value: unknown): value is PassChallenge {
  if (typeof value !== 'object' || value === null) return false
  return ['id', 'qrCodeUrl', 'authorizeUrl', 'expiresAt'].every(
    (name) => typeof Reflect.get(value, name) === 'string',
  )
}

/** The challenge that this tab is waiting for, if it has not expired. */
export function keptChallenge(purpose: string): PassChallenge | null {
  const stored = sessionStorage.getItem(`${KEY} ${purpose}`)
  if (stored === null) return null
  try {
    const value: unknown = JSON.parse(stored)
    return isChallenge(value) && Date.parse(value.expiresAt) > serverNow() ? value : null
  } catch {
    return null
  }
}
