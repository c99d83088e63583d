import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Order, OrderAction } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useReviewed } from '@/command/useReviewed'
import { Movements } from '@/components/Movements'
import { isWrongSecurityPassword, SecurityPasswordField } from '@/components/SecurityPasswordField'
import { Notice } from '@/ui/Card'
import { ConfirmationSheet } from '@/ui/ConfirmationSheet'
import { CancelCost } from './CancelCost'

export interface CancelSheetProps {
  order: Order
  action: OrderAction | undefined
  open: boolean
  onClose: () => void
}

/** Cancels or rejects an order, showing its cost first. */
export function CancelSheet({ order, action, open, onClose }: CancelSheetProps) {
  const { t } = useLingui()
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const rejecting = action?.action === 'reject'
  const needsSecret = action?.securityCode === true
  // A payment that fits several orders may be another buyer's.
  const seen = order.paymentSeen?.ambiguous === false
  const cancel = useCommand({
    run: async (input: { version: number; secret: string }, headers, seal) =>
      read(
        api.POST('/c2c/deal/order/cancel/{id}', {
          params: { path: { id: order.id } },
          body: {
            version: input.version,
            ...(needsSecret ? { securityCode: await seal(input.secret) } : {}),
          },
          headers,
        }),
      ),
    touches: [keys.orders, keys.reputation, keys.me, keys.adverts],
    done: onClose,
    refused: isWrongSecurityPassword,
  })
  const { version, notice } = useReviewed(order.version, { open, pending: cancel.pending?.version })
  const confirm = () => {
    // The sheet is closing because the order has changed.
    if (action === undefined) return
    setTried(true)
    if (!needsSecret || secret !== '') cancel.send({ version, secret })
  }
  return (
    <ConfirmationSheet
      open={open}
      onClose={onClose}
      notice={notice}
      keep={<Trans>Keep order</Trans>}
      title={rejecting ? t`Reject this order?` : t`Cancel this order?`}
      busy={cancel.busy}
      onConfirm={confirm}
      confirm={rejecting ? <Trans>Reject order</Trans> : <Trans>Cancel order</Trans>}
    >
      <Movements movements={action?.movements} role={order.role} />
      {action === undefined ? null : <CancelCost action={action} />}
      {order.role === 'BUYER' &&
      (order.state === 'AWAITING_PAYMENT' || order.state === 'AWAITING_CONFIRMATION') ? (
        <Notice tone={seen ? 'danger' : 'warn'}>
          {!seen ? (
            <Trans>
              Don’t cancel if you’ve already paid: you’d lose the coins and might not get your money back.
            </Trans>
          ) : (
            <Trans>
              Your payment was detected on-chain. Don’t cancel: you’d lose the coins and might not get your
              money back.
            </Trans>
          )}
        </Notice>
      ) : null}
      {needsSecret ? (
        <SecurityPasswordField value={secret} onChange={setSecret} tried={tried} command={cancel} />
      ) : null}
    </ConfirmationSheet>
  )
}
