import { Trans, useLingui } from '@lingui/react/macro'
import { movedText } from '@/api/nftName'
import type { Order } from '@/api/types'
import { ChainRow } from '@/components/ChainRow'
import { LazyNftLine } from '@/components/LazyNft'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Card, CardTitle, Line } from '@/ui/Card'

/** The amounts that each party pays and receives, and the payout once there is one. */
export function OrderTotals({ order }: { order: Order }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const money = useMoney()
  const nft = order.nft
  return (
    <>
      <Card>
        <CardTitle>
          <Trans>Trade details</Trans>
        </CardTitle>
        {nft === null ? null : (
          <AppLink to="/nft/purchaseOrder" query={{ id: nft.id }} className="mb-2 block">
            <LazyNftLine nft={nft} />
          </AppLink>
        )}
        <dl>
          {nft !== null ? null : (
            <Line label={t`Quantity`}>
              {amount(order.quantity)} {order.base}
            </Line>
          )}
          <Line label={nft === null ? t`Unit price` : t`Price`}>
            {amount(order.price)} {order.quote}
          </Line>
          <Line label={order.role === 'BUYER' ? t`You pay` : t`You receive`} strong>
            {money(order.total, order.quote)} {order.quote}
          </Line>
          <Line label={t`Fee`}>
            {amount(order.fee)} {order.feeAsset}
            {nft === null ? null : (
              <span className="block text-muted text-sm">
                <Trans>prepaid by the seller</Trans>
              </span>
            )}
          </Line>
          <Line
            label={order.role === 'BUYER' ? t`You receive` : t`The buyer receives`}
            strong={order.role === 'BUYER'}
          >
            {movedText(amount, order, order.base, order.receives)}
          </Line>
          <ChainRow
            label={order.role === 'BUYER' ? t`To your address` : t`To the buyer’s address`}
            kind="address"
            value={order.receivingAddress}
          />
        </dl>
      </Card>
      {order.payouts.length === 0 ? null : (
        <Card>
          <CardTitle>
            <Trans>On-chain transfers</Trans>
          </CardTitle>
          {order.payouts.map((payout) => (
            <dl key={`${payout.asset} ${payout.to}`} className="border-line border-b pb-1 last:border-0">
              <Line label={t`Amount`}>{movedText(amount, order, payout.asset, payout.amount)}</Line>
              <Line label={t`Status`}>
                {payout.state === 'CONFIRMED' ? (
                  <span className="text-brand">
                    <Trans>Confirmed</Trans>
                  </span>
                ) : payout.confirmations === null ? (
                  <Trans>Sending</Trans>
                ) : (
                  <Trans>
                    {payout.confirmations.seen} of {payout.confirmations.needed} confirmations
                  </Trans>
                )}
              </Line>
              <ChainRow label={t`To`} kind="address" value={payout.to} />
              {payout.hash === null ? null : (
                <ChainRow label={t`Transaction`} kind="tx" value={payout.hash} />
              )}
            </dl>
          ))}
        </Card>
      )}
    </>
  )
}
