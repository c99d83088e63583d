import type { AllowedRuling } from './types'

/** Refusals of decisions that make no sense in the appeal's status, and are not offered. */
const MEANINGLESS: ReadonlySet<AllowedRuling['refusal']> = new Set(['NOT_OPEN', 'DECIDED', 'NOT_DECIDED'])

/** Returns the decisions that the appeal's status allows, also those that this officer may not make. */
export function offered(allowed: readonly AllowedRuling[]): AllowedRuling[] {
  return allowed.filter(({ refusal }) => !MEANINGLESS.has(refusal))
}
