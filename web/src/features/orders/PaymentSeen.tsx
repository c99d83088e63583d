import { Trans, useLingui } from '@lingui/react/macro'
import type { Order } from '@/api/types'
import { ChainRow } from '@/components/ChainRow'
import { useFormats } from '@/i18n/format'
import { Card, CardTitle, Line, Notice } from '@/ui/Card'

/**
 * A direct payment detected on-chain, which releases nothing. If its sender is not the buyer's bound address, it may be the
 * payment of another order.
 */
export function PaymentSeen({ order }: { order: Order }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const seen = order.paymentSeen
  if (seen === null) return null
  const { confirmations } = seen
  const senders = {
    BOUND: t`The buyer’s bound address`,
    RECEIVING: t`The buyer’s receiving address, which others may use as well`,
    UNKNOWN: seen.reported ? t`Unknown. The buyer reported this transaction.` : t`Unknown`,
  }
  return (
    <Card>
      <CardTitle>
        {seen.ambiguous ? (
          <Trans>Possible payment detected on-chain</Trans>
        ) : (
          <Trans>Payment detected on-chain</Trans>
        )}
      </CardTitle>
      <dl>
        <Line label={t`Amount`} strong>
          {amount(seen.amount)} {order.quote}
        </Line>
        <Line label={t`Status`}>
          {confirmations.seen < confirmations.needed ? (
            <Trans>
              {confirmations.seen} of {confirmations.needed} confirmations
            </Trans>
          ) : (
            <span className="text-brand">
              <Trans>Confirmed</Trans>
            </span>
          )}
        </Line>
        <ChainRow
          label={t({ message: 'From', context: 'address of a transfer' })}
          kind="address"
          value={seen.from}
        />
        <Line label={t`Sender`}>{senders[seen.sender]}</Line>
        <ChainRow label={t`Payment transaction`} kind="tx" value={seen.hash} />
      </dl>
      {seen.ambiguous ? (
        <div className="mt-3">
          <Notice tone="warn">
            {order.role === 'BUYER' ? (
              <Trans>
                It isn’t certain that this transfer pays this order. If you sent it, mark the order as paid:
                you get extra time to do so.
              </Trans>
            ) : (
              <Trans>
                This transfer may as well be another buyer’s payment. Confirm only if you know who sent it.
              </Trans>
            )}
          </Notice>
        </div>
      ) : null}
      {order.state === 'AWAITING_PAYMENT' || order.state === 'AWAITING_CONFIRMATION' ? (
        <p className="mt-2 text-muted text-sm">
          <Trans>
            This payment doesn’t release anything automatically. The seller still has to confirm it.
          </Trans>
        </p>
      ) : null}
    </Card>
  )
}
