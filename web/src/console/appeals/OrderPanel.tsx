import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { tradedText } from '@/api/nftName'
import { LazyNftLine } from '@/components/LazyNft'
import { useMethodNames } from '@/components/methodNames'
import { useFieldName } from '@/components/methods/useFieldName'
import { useFormats } from '@/i18n/format'
import { groupFours, shorten } from '@/lib/text'
import { Pill } from '@/ui/Badge'
import { renewCase } from './data'
import { CopyFact, Fact, Panel } from './Fact'
import { LOCATIONS, ORDER_STATES } from './labels'
import { hasContinued } from './status'
import { Thumbnails } from './Thumbnails'
import type { Case } from './types'

/** The terms of the order, where the buyer had to pay, and what the buyer says about the payment. */
export function OrderPanel({ found, show }: { found: Case; show: (file: string) => void }) {
  const { i18n, t } = useLingui()
  const { amount, time } = useFormats()
  const { method } = useMethodNames()
  const field = useFieldName()
  const client = useQueryClient()
  const { order } = found
  const { payTo, payToAddress, payerName, payment, paymentSeen } = order
  const throughMethod = order.kind === 'MANUAL' && payToAddress === null
  // An open appeal suspends the deadline.
  const deadline = found.summary.endedAt === null ? null : order.deadline
  return (
    <>
      <Panel
        title={<Trans context="trade">Order</Trans>}
        aside={<Pill>{i18n._(ORDER_STATES[order.state])}</Pill>}
      >
        <dl>
          <Fact label={t`Amount`}>
            {order.nft === null ? (
              <span className="font-semibold">{tradedText(amount, order, order.quantity)}</span>
            ) : (
              <LazyNftLine nft={order.nft} />
            )}
          </Fact>
          <Fact label={t`Price`}>
            {amount(order.price)} {order.quote}
          </Fact>
          <Fact label={t`Total`}>
            <span className="font-semibold">
              {amount(order.total)} {order.quote}
            </span>
          </Fact>
          <Fact label={t`Fee`}>
            {amount(order.fee)} {order.feeAsset}
          </Fact>
          <Fact label={t`Escrow`}>{i18n._(LOCATIONS[order.money])}</Fact>
          <Fact label={t`Payment`}>
            {order.kind === 'AUTOMATIC' ? <Trans>From escrow</Trans> : <Trans>Outside escrow</Trans>}
          </Fact>
          <Fact label={t`Placed`}>{time(order.createdAt)}</Fact>
          {deadline === null ? null : <Fact label={t`Deadline`}>{time(deadline)}</Fact>}
          <CopyFact label={t`Order ID`} value={order.id} shown={`…${order.id.slice(-8)}`} />
          <CopyFact
            label={t`Buyer’s address`}
            value={order.buyerAddress}
            shown={shorten(order.buyerAddress)}
          />
          <CopyFact
            label={t`Seller’s address`}
            value={order.sellerAddress}
            shown={shorten(order.sellerAddress)}
          />
        </dl>
      </Panel>
      {throughMethod && payTo === null ? (
        <Panel title={<Trans>The buyer pays to</Trans>}>
          <p className="text-muted">
            <Trans>The seller has changed this account since the appeal ended.</Trans>
          </p>
        </Panel>
      ) : null}
      {payTo === null ? null : (
        <Panel title={<Trans>The buyer pays to</Trans>} aside={<span>{method(payTo.type)}</span>}>
          <dl>
            {Object.entries(payTo.fields)
              .filter(([name, value]) => value !== '' && !(name in payTo.pictures))
              .map(([name, value]) => (
                <CopyFact
                  key={name}
                  label={field(name, payTo.type)}
                  value={value}
                  shown={groupFours(value)}
                />
              ))}
          </dl>
        </Panel>
      )}
      {payToAddress === null ? null : (
        <Panel title={<Trans>The buyer pays to</Trans>} aside={<span>{payToAddress.chainType}</span>}>
          <dl>
            <Fact label={t`Amount`}>
              {amount(payToAddress.amount)} {payToAddress.asset}
            </Fact>
            <CopyFact label={t`Address`} value={payToAddress.address} shown={shorten(payToAddress.address)} />
          </dl>
        </Panel>
      )}
      <Panel title={<Trans>Payment by the buyer</Trans>}>
        {paymentSeen === null ? null : <Detected payment={paymentSeen} />}
        {throughMethod ? <Payer name={payerName} /> : null}
        {payment === null ? (
          <p className="text-muted">
            {hasContinued(found) ? (
              <Trans>The order wasn’t marked as paid before the appeal ended.</Trans>
            ) : (
              <Trans>The order was never marked as paid.</Trans>
            )}
          </p>
        ) : (
          <>
            <dl>
              <Fact label={t`Marked as paid`}>{time(payment.at)}</Fact>
              {payment.reference === null ? null : (
                <CopyFact label={t`Reference`} value={payment.reference} />
              )}
              {payment.hash === null ? null : (
                <CopyFact label={t`Hash`} value={payment.hash} shown={shorten(payment.hash)} />
              )}
            </dl>
            {payment.hashRepeated || payment.referenceRepeated ? (
              <p className="flex gap-2 pb-2 text-sell">
                <TriangleAlert size={16} className="mt-0.5 shrink-0" aria-hidden="true" />
                {payment.hashRepeated ? (
                  <Trans>The same transaction was reported for another order, too.</Trans>
                ) : (
                  <Trans>The same reference was given for another order, too.</Trans>
                )}
              </p>
            ) : null}
            {payment.receipts.length === 0 ? (
              <p className="text-muted">
                <Trans>Without a receipt.</Trans>
              </p>
            ) : (
              <Thumbnails
                files={payment.receipts}
                title={t`Receipt`}
                show={show}
                renew={() => renewCase(client, found.summary.id)}
              />
            )}
            {payment.receipts.some((one) => one.usedBefore) ? (
              <p className="flex gap-2 text-sell">
                <TriangleAlert size={16} className="mt-0.5 shrink-0" aria-hidden="true" />
                <Trans>The same picture was attached to another order before.</Trans>
              </p>
            ) : null}
          </>
        )}
      </Panel>
    </>
  )
}

/** What the chain shows, and whether the sender's address proves whose payment it is. */
function Detected({ payment }: { payment: NonNullable<Case['order']['paymentSeen']> }) {
  const { t } = useLingui()
  const senders = {
    BOUND: t`the buyer’s bound address`,
    RECEIVING: t`the buyer’s receiving address, which others may use as well`,
    UNKNOWN: t`an unknown address`,
  }
  return (
    <>
      <dl>
        <Fact label={t`Detected on-chain, from`}>{senders[payment.sender]}</Fact>
      </dl>
      {payment.ambiguous ? (
        <p className="flex gap-2 pb-2 text-sell">
          <TriangleAlert size={16} className="mt-0.5 shrink-0" aria-hidden="true" />
          <Trans>This transfer may as well be another buyer’s payment.</Trans>
        </p>
      ) : null}
    </>
  )
}

/** The only account holder whose payment counts. The order keeps the name, whatever the buyer changes later. */
function Payer({ name }: { name: string | null }) {
  const { t } = useLingui()
  return (
    <dl>
      {name === null ? (
        <Fact label={t`Payer’s account name`}>
          <Trans>not recorded</Trans>
        </Fact>
      ) : (
        <CopyFact label={t`Payer’s account name`} value={name} />
      )}
    </dl>
  )
}
