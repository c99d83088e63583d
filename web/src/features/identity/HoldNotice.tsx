import { Trans } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'

/** What follows from a change of what protects the account, said before the change. */
export function HoldNotice({
  everywhere = false,
  children,
}: {
  /** Whether it also ends the session of this browser. */
  everywhere?: boolean
  children?: ReactNode
}) {
  return (
    <Notice tone="warn" icon={<TriangleAlert size={18} aria-hidden="true" />}>
      {everywhere ? (
        <Trans>
          For your security, this change logs you out on all devices, takes your ads offline, and pauses
          withdrawals, new ads and new orders for 24 hours.
        </Trans>
      ) : (
        <Trans>
          For your security, this change logs out your other devices, takes your ads offline, and pauses
          withdrawals, new ads and new orders for 24 hours.
        </Trans>
      )}
      <Gap />
      {children}
    </Notice>
  )
}
