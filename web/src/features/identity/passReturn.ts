import type { PassChallenge } from '@/api/types'
import { keptChallenge, type PassPurpose, startedHere } from './challenge'

/** Why a request to the pass is over without an answer that counts. */
export type PassEnd = 'declined' | 'expired' | 'failed' | 'unavailable' | 'elsewhere'

/** What the address says when the pass sends the browser back. */
export interface PassReturn {
  outcome: string
  challengeId: string
  code: string
}

/** How the panel begins: with a request that waits or has been approved, a new one, or the end of one. */
export type PassBeginning =
  | { state: 'asking'; challenge: PassChallenge | null; code: string | null }
  | { state: 'over'; end: PassEnd }

const ENDS = new Set<string>(['declined', 'expired', 'unavailable'])

function isEnd(outcome: string): outcome is PassEnd {
  return ENDS.has(outcome)
}

/** A new request: never the one before. */
export const FRESH: PassBeginning = { state: 'asking', challenge: null, code: null }

/**
 * An approval counts only in the browser that started the request. Somebody who sends others a link to the pass must not
 * get their session, and must not log them in to an account of somebody else.
 */
export function beginning(purpose: PassPurpose, back: PassReturn | null): PassBeginning {
  if (back === null) return { state: 'asking', challenge: keptChallenge(purpose), code: null }
  if (back.outcome !== 'approved')
    return { state: 'over', end: isEnd(back.outcome) ? back.outcome : 'failed' }
  const challenge = startedHere(back.challengeId)
  if (challenge === null) return { state: 'over', end: 'elsewhere' }
  return { state: 'asking', challenge, code: back.code }
}
