import { Trans, useLingui } from '@lingui/react/macro'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import { useCommand } from '@/command/useCommand'
import { useReviewed } from '@/command/useReviewed'
import { CancelCost } from '@/components/ending/CancelCost'
import type { CancelSheetProps } from '@/components/ending/CancelSheet'
import { Movements } from '@/components/Movements'
import { useTradeTexts } from '@/components/useTradeTexts'
import { Notice } from '@/ui/Card'
import { ConfirmationSheet } from '@/ui/ConfirmationSheet'

const PATHS = {
  askCancel: '/c2c/deal/order/askCancel/{id}',
  agreeCancel: '/c2c/deal/order/agreeCancel/{id}',
} as const

/** Cancels an order by agreement: the seller asks, and the buyer agrees. */
export function AskCancelSheet({ order, action, open, onClose }: CancelSheetProps) {
  const { t } = useLingui()
  const asking = order.role === 'SELLER'
  // An ambiguous payment may be another buyer's.
  const seen = order.paymentSeen?.ambiguous === false
  const { sold, receives } = useTradeTexts(order)
  const command = useCommand({
    run: (input: { version: number }, headers) =>
      read(
        api.POST(PATHS[asking ? 'askCancel' : 'agreeCancel'], {
          params: { path: { id: order.id } },
          body: input,
          headers,
        }),
      ),
    touches: [keys.orders, keys.reputation, keys.me, keys.adverts],
    done: onClose,
  })
  const { version, notice } = useReviewed(order.version, { open, pending: command.pending?.version })
  return (
    <ConfirmationSheet
      open={open}
      onClose={onClose}
      notice={notice}
      keep={<Trans>Keep order</Trans>}
      title={asking ? t`Ask the buyer to cancel?` : t`Agree to cancel?`}
      tone={asking ? 'strong' : 'danger'}
      busy={command.busy}
      onConfirm={() => command.send({ version })}
      confirm={asking ? <Trans>Ask the buyer</Trans> : <Trans>Agree and cancel order</Trans>}
    >
      {asking ? (
        <>
          <p className="leading-relaxed">
            <Trans>
              The order continues until the buyer agrees, and the buyer can still pay. You can’t withdraw this
              request.
            </Trans>
          </p>
          <p className="leading-relaxed">
            {order.advertiser ? (
              <Trans>
                If the buyer agrees, the order is permanently cancelled and {sold} is returned to your ad.
              </Trans>
            ) : (
              <Trans>
                If the buyer agrees, the order is permanently cancelled and {sold}, minus network fees, is
                returned to your bound address.
              </Trans>
            )}
          </p>
          <Movements movements={action?.movements} role={order.role} about={order} />
          {action === undefined ? null : <CancelCost action={action} onlyIfAgreed />}
        </>
      ) : (
        <>
          <Notice tone="danger">
            {!seen ? (
              <Trans>
                Don’t agree if you’ve already paid: you’d lose {receives} and might not get your money back.
              </Trans>
            ) : (
              <Trans>
                Your payment was detected on-chain. Don’t agree: you’d lose {receives} and might not get your
                money back.
              </Trans>
            )}
          </Notice>
          <p className="leading-relaxed">
            <Trans>The order is permanently cancelled, and {sold} is returned to the seller.</Trans>
          </p>
          <Movements movements={action?.movements} role={order.role} about={order} />
          {action === undefined ? null : <CancelCost action={action} />}
        </>
      )}
    </ConfirmationSheet>
  )
}
