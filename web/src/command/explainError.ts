import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Explanation, Purpose } from '@/api/codes'
import { explain } from '@/api/explain'

/** What to show for a failed call. If even the texts cannot be fetched, the connection has failed. */
export async function explainError(error: unknown, purpose: Purpose = 'read'): Promise<Explanation> {
  try {
    return await explain(error, purpose)
  } catch {
    return { text: i18n._(msg`No connection to the server. Try again in a moment.`), toast: true }
  }
}
