import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { refusedField } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { AvailableAction, Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { useReviewed } from '@/command/useReviewed'
import { Movements } from '@/components/Movements'
import { isWrongSecurityPassword, SecurityPasswordField } from '@/components/SecurityPasswordField'
import { useTradeTexts } from '@/components/useTradeTexts'
import { Notice } from '@/ui/Card'
import { ConfirmationSheet } from '@/ui/ConfirmationSheet'
import { TextArea } from '@/ui/Field'
import { CancelCost } from './CancelCost'

/** The maximum length of the reason of a rejection. */
const MOST_REASON = 100

/** Returns whether the server refused the reason of a rejection. */
function isReasonRefused(error: unknown): boolean {
  return refusedField(error) === 'reason'
}

/** What the user saw and confirms. */
interface Shown {
  version: number
  reputationCost: number
}

export interface CancelSheetProps {
  order: Order
  action: AvailableAction | undefined
  open: boolean
  onClose: () => void
}

/** Cancels or rejects an order, showing its cost first. */
export function CancelSheet({ order, action, open, onClose }: CancelSheetProps) {
  const { t } = useLingui()
  const [secret, setSecret] = useState('')
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const rejecting = action?.action === 'reject'
  const needsSecret = action?.securityCode === true
  const cancel = useCommand({
    run: async (input: Shown & { secret: string; reason: string }, headers, seal) =>
      read(
        api.POST('/c2c/deal/order/cancel/{id}', {
          params: { path: { id: order.id } },
          body: {
            version: input.version,
            reputationCost: input.reputationCost,
            ...(needsSecret ? { securityCode: await seal(input.secret) } : {}),
            ...(input.reason === '' ? {} : { reason: input.reason }),
          },
          headers,
        }),
      ),
    touches: [keys.orders, keys.reputation, keys.me, keys.adverts, keys.balance],
    done: onClose,
    refused: (error) => isWrongSecurityPassword(error) || isReasonRefused(error),
  })
  const refusedReason = useErrorText(isReasonRefused(cancel.error) ? cancel.error : null, 'command')
  // The cost is part of what the user reviews: another cancellation may use up the last free one without changing this order.
  const shown = { version: order.version, reputationCost: action?.reputationCost ?? 0 }
  const { version: reviewed, notice } = useReviewed<Shown>(shown, {
    open,
    pending: cancel.pending && {
      version: cancel.pending.version,
      reputationCost: cancel.pending.reputationCost,
    },
  })
  const confirm = () => {
    // The sheet is closing because the order has changed.
    if (action === undefined) return
    setTried(true)
    if (!needsSecret || secret !== '')
      cancel.send({
        version: reviewed.version,
        // Sending the same again repeats the command; another cost would make it a new one.
        reputationCost: cancel.pending?.reputationCost ?? reviewed.reputationCost,
        secret,
        reason: rejecting ? reason.trim() : '',
      })
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
      <Movements movements={action?.movements} role={order.role} about={order} />
      {action === undefined ? null : <CancelCost action={action} />}
      <Underway order={order} />
      {rejecting ? (
        <TextArea
          label={t`Reason (optional)`}
          value={reason}
          rows={2}
          maxLength={MOST_REASON}
          onChange={(text) => {
            setReason(text.replace(/\s*\n\s*/g, ' '))
            if (isReasonRefused(cancel.error)) cancel.clear()
          }}
          error={refusedReason}
          hint={t`The other party sees it.`}
        />
      ) : null}
      {needsSecret ? (
        <SecurityPasswordField value={secret} onChange={setSecret} tried={tried} command={cancel} />
      ) : null}
    </ConfirmationSheet>
  )
}

/** Warns a user whose deposit or payment may be on the way already. */
function Underway({ order }: { order: Order }) {
  const { receives } = useTradeTexts(order)
  // An ambiguous payment may be another buyer's.
  const seen = order.paymentSeen?.ambiguous === false
  // The user deposits for this order: coins that are not needed any more stay the user's.
  if (order.deposit !== null)
    return (
      <Notice tone="warn">
        <Trans>Whatever you’ve sent for this order is added to your temporary balance when it arrives.</Trans>
      </Notice>
    )
  const paying = order.state === 'AWAITING_PAYMENT' || order.state === 'AWAITING_CONFIRMATION'
  if (order.role !== 'BUYER' || !paying) return null
  return (
    <Notice tone={seen ? 'danger' : 'warn'}>
      {!seen ? (
        <Trans>
          Don’t cancel if you’ve already paid: you’d lose {receives} and might not get your money back.
        </Trans>
      ) : (
        <Trans>
          Your payment was detected on-chain. Don’t cancel: you’d lose {receives} and might not get your money
          back.
        </Trans>
      )}
    </Notice>
  )
}
