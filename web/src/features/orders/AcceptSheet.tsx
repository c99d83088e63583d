import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys, ownAdvert } from '@/api/queries'
import type { AvailableAction, Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useReviewed } from '@/command/useReviewed'
import { Movements } from '@/components/Movements'
import { useTradeTexts } from '@/components/useTradeTexts'
import { Button } from '@/ui/Button'
import { Line } from '@/ui/Card'
import { Sheet } from '@/ui/Sheet'
import { Skeleton } from '@/ui/Skeleton'

/** Accepts an order, showing first what the user and the other party will have to do, and where what is sold is meanwhile. */
export default function AcceptSheet({
  order,
  action,
  open,
  onClose,
}: {
  order: Order
  action: AvailableAction | undefined
  open: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
  const { sold, receives, total } = useTradeTexts(order)
  const selling = order.role === 'SELLER'
  const accept = useCommand({
    run: (input: { version: number }, headers) =>
      read(
        api.POST('/c2c/deal/order/take/{id}', { params: { path: { id: order.id } }, body: input, headers }),
      ),
    touches: [keys.orders, keys.balance],
    done: onClose,
  })
  const { version, notice } = useReviewed(order.version, { open, pending: accept.pending?.version })
  return (
    <Sheet
      open={open}
      onClose={onClose}
      notice={notice}
      title={t`Accept this order?`}
      footer={
        <Button size="large" wide busy={accept.busy} onClick={() => accept.send({ version })}>
          {selling ? <Trans>Accept and sell {sold}</Trans> : <Trans>Accept and buy {sold}</Trans>}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <dl className="rounded-2xl bg-sunken px-4 py-2">
          <Line label={selling ? t`You sell` : t`You buy`}>{sold}</Line>
          <Line label={selling ? t`You receive` : t`You pay`} strong>
            {total}
          </Line>
          {order.payerName === null ? null : (
            <Line label={selling ? t`The payment must come from` : t`You must pay from the account of`}>
              {order.payerName}
            </Line>
          )}
          <PaymentWindow advertId={order.advertId} open={open} selling={selling} />
        </dl>
        <Movements movements={action?.movements} role={order.role} about={order} />
        <ol className="flex list-decimal flex-col gap-2 pl-5 leading-relaxed">
          {selling ? (
            <>
              <li>
                <Trans>
                  {sold} from your ad stays locked in escrow until you confirm the payment or the order is
                  cancelled. You can’t cancel it on your own: you can only ask the buyer to cancel.
                </Trans>
              </li>
              <li>
                <Trans>
                  The buyer’s time to pay starts when you accept. If the buyer doesn’t pay, the order is
                  cancelled and {sold} returns to your ad.
                </Trans>
              </li>
              <li>
                <Trans>
                  Once the buyer has paid, check your account and confirm by the deadline. Only then is {sold}{' '}
                  released.
                </Trans>
              </li>
            </>
          ) : (
            <>
              <li>
                <Trans>
                  The seller deposits {sold} into escrow. Don’t pay before that. If the deposit doesn’t arrive
                  in time, the order is cancelled.
                </Trans>
              </li>
              <li>
                <Trans>
                  Then your time to pay {total} starts. If you don’t pay by the deadline, the order is
                  cancelled and you can lose credit.
                </Trans>
              </li>
              <li>
                <Trans>Once the seller confirms your payment, {receives} is sent to your address.</Trans>
              </li>
            </>
          )}
        </ol>
      </div>
    </Sheet>
  )
}

/** The time to pay, which the ad of this user sets. It never changes, so the order has the same. */
function PaymentWindow({ advertId, open, selling }: { advertId: string; open: boolean; selling: boolean }) {
  const { t } = useLingui()
  const advert = useQuery({ ...ownAdvert(advertId), refetchInterval: false, enabled: open })
  if (advert.isError && advert.data === undefined) return null
  return (
    <Line label={selling ? t`The buyer’s time to pay` : t`Your time to pay`}>
      {advert.data === undefined ? (
        <Skeleton className="inline-block h-5 w-20 align-middle" />
      ) : (
        <Plural value={advert.data.windowMinutes} one="# minute" other="# minutes" />
      )}
    </Line>
  )
}
