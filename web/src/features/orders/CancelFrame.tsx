import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Order, OrderAction } from '@/api/types'
import { Button } from '@/ui/Button'
import { Sheet } from '@/ui/Sheet'

export interface CancelSheetProps {
  order: Order
  action: OrderAction | undefined
  open: boolean
  onClose: () => void
}

/** The common frame of sheets that end an order. */
export function CancelFrame({
  open,
  onClose,
  title,
  tone = 'danger',
  busy,
  onConfirm,
  confirm,
  children,
}: Pick<CancelSheetProps, 'open' | 'onClose'> & {
  title: string
  tone?: 'strong' | 'danger'
  busy: boolean
  onConfirm: () => void
  confirm: ReactNode
  children: ReactNode
}) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <div className="flex max-2xs:flex-col-reverse gap-2.5">
          <Button tone="plain" size="large" onClick={onClose}>
            <Trans>Keep order</Trans>
          </Button>
          <Button tone={tone} size="large" wide busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-4">{children}</div>
    </Sheet>
  )
}
