import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'

/** Stands in for a decision that has become pointless while the officer was making it. */
export function NothingLeft({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  /** Why there is nothing to decide. */
  children: ReactNode
}) {
  return (
    <Dialog open onClose={onClose} title={title}>
      <div className="flex flex-col gap-4">
        <p>{children}</p>
        <div className="flex justify-end">
          <Button size="small" tone="plain" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
