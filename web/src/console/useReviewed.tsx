import { Trans } from '@lingui/react/macro'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Notice } from '@/ui/Card'

/**
 * Keeps the version that the officer has seen, because they decide about that, not about what changed meanwhile. Returns it with
 * a notice about changes; null without any. The officer can then decide about the new version.
 */
export function useReviewed(current: string): { version: string; notice: ReactNode } {
  const [version, setVersion] = useState(current)
  const notice =
    version === current ? null : (
      <Notice tone="warn" icon={<RefreshCw size={18} aria-hidden="true" />}>
        <Trans>This has changed since you opened it.</Trans>{' '}
        <button type="button" className="font-semibold underline" onClick={() => setVersion(current)}>
          <Trans>I’ve reviewed the changes</Trans>
        </button>
      </Notice>
    )
  return { version, notice }
}
