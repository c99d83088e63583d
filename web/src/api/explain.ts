import { loadCatalog } from '@/i18n/catalogs'
import type { Explanation, Purpose } from './codes'

/** What to show for a failed call. The table and its texts load with the first failure. */
export async function explain(error: unknown, purpose: Purpose = 'read'): Promise<Explanation> {
  const [{ explainCode }] = await Promise.all([import('./codes'), loadCatalog('api')])
  return explainCode(error, purpose)
}
