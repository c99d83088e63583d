import type { BalanceLine } from '@/api/types'
import { add, compare, type Decimal, subtract } from '@/lib/money'

/**
 * Returns what a temporary balance lacks now, and what of it is not on its way; null if it covers the amount. What arrives repays
 * debt first.
 */
export function missingToPrepay(
  needed: Decimal,
  line: Pick<BalanceLine, 'temporary' | 'confirming' | 'debt'> | undefined,
): { now: Decimal; toSend: Decimal } | null {
  const { temporary, confirming, debt } = line ?? { temporary: '0', confirming: '0', debt: '0' }
  const now = subtract(needed, temporary)
  if (now === null || compare(now, '0') !== 1) return null
  const toSend = subtract(add(now, debt) ?? now, confirming) ?? now
  return { now, toSend: compare(toSend, '0') === 1 ? toSend : '0' }
}
