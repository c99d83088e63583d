import type { Case } from './types'

/** Returns whether the order has continued without the officers, who do not see what happened since. */
export function hasContinued({ summary: { status } }: Pick<Case, 'summary'>): boolean {
  return status === 'WITHDRAWN' || status === 'REJECTED'
}
