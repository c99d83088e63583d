import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'

/** Tells the officer something that needs no decision. */
export function InfoDialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog open onClose={onClose} title={title}>
      <div className="flex flex-col gap-4">
        {children}
        <div className="flex justify-end">
          <Button size="small" tone="plain" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
