import { Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { Order } from '@/api/types'
import { Gallery } from '@/components/files/Gallery'
import { AppLink } from '@/navigation/navigation'
import { Card, CardTitle, Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import { waitsAfterPaying } from './labels'

/** The pictures with which the buyer shows the payment. The seller learns which of them were used before. */
export function Receipts({ order }: { order: Order }) {
  const { t } = useLingui()
  const receipts = order.payment?.receipts ?? []
  if (receipts.length === 0) return waitsAfterPaying(order) ? <Missing orderId={order.id} /> : null
  const reused = receipts.some((file) => file.usedBefore)
  return (
    <Card>
      <CardTitle>
        <Trans>Payment receipt</Trans>
      </CardTitle>
      <Gallery
        files={receipts}
        title={t`Payment receipt`}
        warning={(file) => (file.usedBefore ? t`Used before` : '')}
        note={
          <Notice tone="info">
            <Trans>A picture isn’t proof of payment. Only the money in the account is.</Trans>
          </Notice>
        }
      />
      {reused ? (
        <div className="mt-3">
          <Notice tone="warn" icon={<TriangleAlert size={18} aria-hidden="true" />}>
            <Trans>
              The same picture was attached to another order before. Check with special care that this payment
              has arrived.
            </Trans>
          </Notice>
        </div>
      ) : null}
    </Card>
  )
}

/** A payment that was marked without a receipt. The chat takes pictures, too. */
function Missing({ orderId }: { orderId: string }) {
  return (
    <Card>
      <CardTitle>
        <Trans>Payment receipt</Trans>
      </CardTitle>
      <p className="text-muted leading-relaxed">
        <Trans>You haven’t attached a receipt. The seller can check faster with one.</Trans>
        <Gap />
        <AppLink
          to="/chat"
          query={{ id: orderId }}
          className="inline-block font-semibold text-brand underline underline-offset-4"
        >
          <Trans>Send it in the chat</Trans>
        </AppLink>
      </p>
    </Card>
  )
}
