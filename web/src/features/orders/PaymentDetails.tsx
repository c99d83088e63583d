import { Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { Order } from '@/api/types'
import { PaymentRow } from '@/components/ChainRow'
import { Picture } from '@/components/files/Picture'
import { methodColor, useMethodNames } from '@/components/methodNames'
import { useFieldName } from '@/components/methods/useFieldName'
import { useMoney } from '@/components/useMoney'
import { groupFours } from '@/lib/text'
import { Card, CardTitle, Line, Notice } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { QrCode } from '@/ui/QrCode'
import { showsPayment } from './labels'
import { methodAdvice } from './methodAdvice'

/** The account that the buyer pays to, with copyable fields; for the seller, the payment to look for. */
export function PaymentDetails({ order }: { order: Order }) {
  const { t } = useLingui()
  const money = useMoney()
  const { method } = useMethodNames()
  const field = useFieldName()
  const payer = order.payerName
  // Once the payment is on-chain, no user should pay again.
  const paying =
    order.state === 'AWAITING_PAYMENT' && order.role === 'BUYER' && order.paymentSeen?.ambiguous !== false
  if (!showsPayment(order)) return null
  const to = order.payToAddress
  return (
    <>
      <Card>
        <CardTitle>
          {order.role === 'BUYER' ? <Trans>Payment details</Trans> : <Trans>The buyer pays to</Trans>}
        </CardTitle>
        <dl>
          <CopyRow
            label={t`Amount`}
            value={order.total}
            shown={`${money(order.total, order.quote)} ${order.quote}`}
            strong
          />
          {payer === null ? null : <Line label={t`Payer’s account name`}>{payer}</Line>}
        </dl>
        {(order.payTo === null ? [] : [order.payTo]).map((one) => (
          <div key={one.id} className="mt-2 border-line border-t pt-2">
            <p className="flex items-center gap-2 py-1 font-medium">
              <span aria-hidden="true" className={`h-4 w-1 rounded-full ${methodColor(one.type)}`} />
              {method(one.type)}
            </p>
            <dl>
              {Object.entries(one.fields)
                .filter(([name, value]) => value !== '' && !(name in one.pictures) && name !== 'qrCode')
                .map(([name, value]) => (
                  <CopyRow key={name} label={field(name, one.type)} value={value} shown={groupFours(value)} />
                ))}
            </dl>
            {Object.values(one.pictures).map((picture) => (
              <Picture
                key={picture.id}
                file={picture}
                alt={t`Payment QR code`}
                className="mx-auto mt-2 h-auto w-52 rounded-2xl bg-white p-3"
              />
            ))}
          </div>
        ))}
        {to === null ? null : (
          <div className="mt-2 border-line border-t pt-2">
            <dl>
              <PaymentRow label={t`Address`} kind="address" value={to.address} chainType={to.chainType} />
              <Line label={t`Chain`}>{to.chainType}</Line>
            </dl>
            {paying ? (
              <div className="mt-3 flex justify-center">
                <QrCode text={to.address} label={t`QR code for address ${to.address}`} size={168} />
              </div>
            ) : null}
          </div>
        )}
      </Card>
      {paying ? (
        <Notice tone="warn" icon={<TriangleAlert size={18} aria-hidden="true" />}>
          <p>
            {order.payTo !== null && payer !== null ? (
              <Trans>
                Pay exactly this amount from an account in the name of {payer}. Don’t mention crypto in the
                payment note.
              </Trans>
            ) : order.payTo !== null ? (
              <Trans>
                Pay exactly this amount from an account in your own name. Don’t mention crypto in the payment
                note.
              </Trans>
            ) : (
              <Trans>
                Send exactly this amount on this chain. Anything sent on another chain or in another token is
                lost.
              </Trans>
            )}
          </p>
          {order.payTo === null ? null : <p className="mt-2">{t(methodAdvice(order.payTo.type, 'BUYER'))}</p>}
        </Notice>
      ) : null}
      {order.role === 'SELLER' && order.state === 'AWAITING_CONFIRMATION' ? (
        <Notice tone="warn" icon={<TriangleAlert size={18} aria-hidden="true" />}>
          {payer === null ? (
            <Trans>Check your own account. A screenshot or message is not proof of payment.</Trans>
          ) : (
            <Trans>
              Check your own account: the payment must come from an account in the name of {payer}. A
              screenshot or message is not proof of payment.
            </Trans>
          )}
        </Notice>
      ) : null}
    </>
  )
}
