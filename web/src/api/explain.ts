import { loadCatalog } from '@/i18n/catalogs'
import type { Explanation, Purpose } from './codes'

/** Returns what to show for a failed call. Loads the table and its texts at the first failure. */
export async function explain(error: unknown, purpose: Purpose = 'read'): Promise<Explanation> {
  const [{ explainCode }] = await Promise.all([import('./codes'), loadCatalog('api')])
  return explainCode(error, purpose)
}
