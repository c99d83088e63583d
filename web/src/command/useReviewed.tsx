import { Trans } from '@lingui/react/macro'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'

interface Reviewing<V> {
  /** Whether the dialog or sheet is open. Each time it opens, it shows the current version. */
  open?: boolean
  /** The version of a command whose outcome is unknown. The change may be that command's, so it is repeated as it is. */
  pending?: V | undefined
}

/** Compares versions, or flat objects of what else a user reviews. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Keeps the version that the user has seen, because they decide about that, not about what changed meanwhile. Returns it with
 * a notice about changes; null without any. The user can then decide about the new version.
 */
export function useReviewed<V>(
  current: V,
  { open = true, pending }: Reviewing<V> = {},
): { version: V; notice: ReactNode } {
  const [seen, setSeen] = useState({ open, version: current })
  // A closing sheet keeps its version, because its button can still be tapped.
  if (open !== seen.open) setSeen({ open, version: open ? current : seen.version })
  const { version } = seen
  const notice =
    !open || isSame(version, current) || isSame(version, pending) ? null : (
      <Notice tone="warn" icon={<RefreshCw size={18} aria-hidden="true" />}>
        <Trans>This has changed since you opened it.</Trans>
        <Gap />
        <button
          type="button"
          className="relative font-semibold underline after:absolute after:-inset-2.5"
          onClick={() => setSeen({ open, version: current })}
        >
          <Trans>I’ve reviewed the changes</Trans>
        </button>
      </Notice>
    )
  return { version, notice }
}
