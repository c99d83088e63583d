import { Trans, useLingui } from '@lingui/react/macro'
import type { Order } from '@/api/types'
import { PaymentRow } from '@/components/ChainRow'
import { TraderLine } from '@/components/TraderLine'
import { useFormats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import { Card, CardTitle, Line } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { showsPayment } from './labels'
import { RecordDownload } from './RecordDownload'
import { RepeatedReport } from './RepeatedReport'

/** Counterparty, terms, and the numbers to quote to support. */
export function OrderFacts({ order }: { order: Order }) {
  const { t } = useLingui()
  const { time } = useFormats()
  return (
    <Card>
      <CardTitle>{order.role === 'BUYER' ? <Trans>The seller</Trans> : <Trans>The buyer</Trans>}</CardTitle>
      <TraderLine person={order.counterparty} />
      <dl className="mt-3 border-line border-t pt-2">
        {order.payment === null ? null : (
          <>
            <Line label={t`Marked as paid`}>{time(order.payment.at)}</Line>
            {order.payment.reference === null ? null : (
              <Line label={t`Payment reference`}>{order.payment.reference}</Line>
            )}
            {order.payment.hash === null ? null : (
              <PaymentRow
                label={t`Transaction`}
                kind="tx"
                value={order.payment.hash}
                chainType={order.payToAddress?.chainType}
              />
            )}
          </>
        )}
        {order.payerName === null || showsPayment(order) ? null : (
          <Line label={t`Payer’s account name`}>{order.payerName}</Line>
        )}
        <Line label={t`Order placed`}>{time(order.createdAt)}</Line>
        <CopyRow label={t`Order ID`} value={order.id} shown={shorten(order.id)} />
        <CopyRow label={t`Ad ID`} value={order.advertId} shown={shorten(order.advertId)} />
      </dl>
      <div className="mt-3 empty:hidden">
        <RepeatedReport order={order} />
      </div>
      <RecordDownload orderId={order.id} />
    </Card>
  )
}
