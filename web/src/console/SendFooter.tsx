import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '@/ui/Button'

/** The end of a form in a dialog: how to send and cancel it with the keyboard, and the buttons. */
export function SendFooter({
  busy,
  dangerous = false,
  cancel,
  children,
}: {
  /** Whether the form is being sent. */
  busy: boolean
  dangerous?: boolean
  cancel: () => void
  /** The button that sends it. */
  children: ReactNode
}) {
  return (
    <div className="flex items-center justify-end gap-3">
      <span className="mr-auto text-muted text-sm">
        <Trans>Ctrl+Enter to send, Esc to cancel</Trans>
      </span>
      <Button tone="plain" size="small" disabled={busy} onClick={cancel}>
        <Trans>Cancel</Trans>
      </Button>
      <Button type="submit" tone={dangerous ? 'danger' : 'brand'} size="small" busy={busy}>
        {children}
      </Button>
    </div>
  )
}
