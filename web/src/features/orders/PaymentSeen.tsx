import { Trans, useLingui } from '@lingui/react/macro'
import type { Order } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import { Card, CardTitle, Line } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'

/** A direct payment detected on-chain. It is evidence for the seller and releases nothing. */
export function PaymentSeen({ order }: { order: Order }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const seen = order.paymentSeen
  if (seen === null) return null
  const { confirmations } = seen
  return (
    <Card>
      <CardTitle>
        <Trans>Payment detected on-chain</Trans>
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
        <CopyRow
          label={t({ message: 'From', context: 'address of a transfer' })}
          value={seen.from}
          shown={shorten(seen.from)}
        />
        <CopyRow label={t`Payment transaction`} value={seen.hash} shown={shorten(seen.hash)} />
      </dl>
      {order.state === 'AWAITING_PAYMENT' || order.state === 'AWAITING_CONFIRMATION' ? (
        <p className="mt-2 text-muted text-sm">
          <Trans>
            This payment doesn’t release the coins automatically. The seller still has to confirm it.
          </Trans>
        </p>
      ) : null}
    </Card>
  )
}
