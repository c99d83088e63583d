import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Explanation, Purpose } from '@/api/codes'
import { explain } from '@/api/explain'

/** What to say about a failed call. Where even the texts cannot be fetched, it is the connection that failed. */
export async function explained(error: unknown, purpose: Purpose = 'read'): Promise<Explanation> {
  try {
    return await explain(error, purpose)
  } catch {
    return { text: i18n._(msg`No connection to the server. Try again in a moment.`), toast: true }
  }
}
