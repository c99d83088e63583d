import { loadCatalog } from '@/i18n/catalogs'
import type { Explanation, Purpose } from './codes'

/** What to say about a failed call. The table and its texts load when the first call fails, not before. */
export async function explain(error: unknown, purpose: Purpose = 'read'): Promise<Explanation> {
  const [{ explanation }] = await Promise.all([import('./codes'), loadCatalog('api')])
  return explanation(error, purpose)
}
