import { LoadFailed } from '@/command/LoadFailed'
import { loadCatalog } from '@/i18n/catalogs'
import { loadable } from '@/ui/loadable'
import { Skeleton } from '@/ui/Skeleton'
import type { PassProofProps } from './PassProofPanel'

/** `PassProofPanel`, fetched only by those who need it. */
export const PassProof = loadable<PassProofProps>(
  async () => {
    const [module] = await Promise.all([import('./PassProofPanel'), loadCatalog('pass')])
    return module
  },
  (_, retry) => <LoadFailed retry={retry} />,
  <Skeleton className="h-14 w-full rounded-2xl" />,
)
