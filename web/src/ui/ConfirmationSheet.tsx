import type { ReactNode } from 'react'
import { Button } from './Button'
import { Sheet } from './Sheet'

/** Asks before something is done that ends or removes something. The first button changes nothing. */
export function ConfirmationSheet({
  open,
  onClose,
  title,
  keep,
  confirm,
  tone = 'danger',
  notice,
  busy,
  onConfirm,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  /** The button that changes nothing, such as "Keep order". */
  keep: ReactNode
  /** The button that goes ahead. */
  confirm: ReactNode
  tone?: 'strong' | 'danger'
  /** Said above the buttons when it appears. */
  notice?: ReactNode
  busy: boolean
  onConfirm: () => void
  /** What follows. */
  children: ReactNode
}) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      notice={notice}
      footer={
        <div className="flex max-2xs:flex-col-reverse gap-2.5">
          <Button tone="plain" size="large" disabled={busy} onClick={onClose}>
            {keep}
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
