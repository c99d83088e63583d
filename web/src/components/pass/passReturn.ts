import type { PassChallenge } from '@/api/types'
import { findChallenge, type PassPurpose, pendingChallenge } from './passChallenges'

/** The reason why a request to the pass ended without a valid approval. */
export type PassRequestEnd = 'declined' | 'expired' | 'failed' | 'unavailable' | 'elsewhere'

/** The query parameters with which the pass returns the browser. */
export interface PassReturn {
  outcome: string
  challengeId: string
  code: string
}

/** The initial state of the panel: a pending or approved request, a new request, or an ended request. */
export type PassPanelState =
  | { state: 'asking'; challenge: PassChallenge | null; code: string | null }
  | { state: 'over'; end: PassRequestEnd }

const ENDS = new Set<string>(['declined', 'expired', 'unavailable'])

function isEnd(outcome: string): outcome is PassRequestEnd {
  return ENDS.has(outcome)
}

/** A new request, even if another is pending. */
export const NEW_REQUEST: PassPanelState = { state: 'asking', challenge: null, code: null }

/**
 * Returns the initial state of the panel. An approval counts only in the browser that started the request. Otherwise
 * an attacker could send a link to the pass and get the victim's session, or log the victim in to the attacker's
 * account.
 */
export function initialPassState(purpose: PassPurpose, back: PassReturn | null): PassPanelState {
  if (back === null) return { state: 'asking', challenge: pendingChallenge(purpose), code: null }
  if (back.outcome !== 'approved')
    return { state: 'over', end: isEnd(back.outcome) ? back.outcome : 'failed' }
  const challenge = findChallenge(back.challengeId)
  if (challenge === null) return { state: 'over', end: 'elsewhere' }
  return { state: 'asking', challenge, code: back.code }
}
