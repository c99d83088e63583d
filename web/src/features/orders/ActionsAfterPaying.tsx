import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Order } from '@/api/types'
import { CancelSheet } from '@/components/ending/CancelSheet'
import { AppLink } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button, buttonClass } from '@/ui/Button'
import { UnreadCount } from './ChatLink'

/**
 * What a buyer who has paid may want next. Chat, receipt and appeal help; a cancellation would lose the coins, so it comes
 * last.
 */
export function ActionsAfterPaying({ order, onReceipt }: { order: Order; onReceipt: () => void }) {
  const { t } = useLingui()
  const [cancelling, setCancelling] = useState(false)
  const cancel = order.actions.find(({ action }) => action === 'cancel')
  // The sheet must not open by itself when the action is offered again.
  if (cancelling && cancel === undefined) setCancelling(false)
  const query = { id: order.id }
  const unread = order.unreadMessages
  const attached = (order.payment?.receipts.length ?? 0) > 0
  return (
    <>
      <ActionBar
        nav
        after={
          cancel === undefined ? null : (
            <Button
              tone="quiet"
              size="small"
              className="self-center text-muted"
              onClick={() => setCancelling(true)}
            >
              <Trans>Cancel</Trans>
            </Button>
          )
        }
      >
        <AppLink
          to="/chat"
          query={query}
          label={unread > 0 ? t`Chat, ${unread} unread` : t`Chat`}
          className={`relative lg:hidden ${buttonClass('brand', 'normal', true)}`}
        >
          <Trans>Chat</Trans>
          <UnreadCount count={unread} />
        </AppLink>
        {attached ? (
          <Button tone="plain" wide onClick={onReceipt}>
            <Trans>Receipt</Trans>
          </Button>
        ) : (
          <AppLink to="/chat" query={query} className={`${buttonClass('plain', 'normal', true)} lg:hidden`}>
            <Trans>Send receipt</Trans>
          </AppLink>
        )}
        <AppLink to="/appeal" query={query} className={buttonClass('plain', 'normal', true)}>
          <Trans>Appeal</Trans>
        </AppLink>
      </ActionBar>
      <CancelSheet order={order} action={cancel} open={cancelling} onClose={() => setCancelling(false)} />
    </>
  )
}
