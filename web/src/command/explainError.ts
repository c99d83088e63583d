import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Explanation, Purpose } from '@/api/codes'
import { explain } from '@/api/explain'

/** Returns what to show for a failed call. If its text cannot be fetched, the connection has failed. */
export async function explainError(error: unknown, purpose: Purpose = 'read'): Promise<Explanation> {
  try {
    return await explain(error, purpose)
  } catch {
    return { text: i18n._(msg`No connection to the server. Try again in a moment.`), toast: true }
  }
}
