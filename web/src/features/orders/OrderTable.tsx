import { Trans, useLingui } from '@lingui/react/macro'
import { tradedText } from '@/api/nftName'
import type { Order } from '@/api/types'
import { useMoney } from '@/components/useMoney'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { ROW_LINK, Table, Td, Th, Tr } from '@/ui/Table'
import { News, OrderState } from './OrderState'

/** The orders of a desktop. The address has the ID of the order whose details are beside them. */
export function OrderTable({ orders, selected }: { orders: readonly Order[]; selected: string }) {
  const { t } = useLingui()
  return (
    <Table
      label={t`Orders`}
      head={
        <>
          <Th>
            <Trans context="in a table">Order</Trans>
          </Th>
          <Th end>
            <Trans context="of an order">Amount</Trans>
          </Th>
          <Th end>
            <Trans context="of an order">Total</Trans>
          </Th>
          <Th>
            <Trans>Trading partner</Trans>
          </Th>
          <Th end>
            <Trans context="of an order">State</Trans>
          </Th>
        </>
      }
    >
      {orders.map((order) => (
        <Row key={order.id} order={order} selected={order.id === selected} />
      ))}
    </Table>
  )
}

function Row({ order, selected }: { order: Order; selected: boolean }) {
  const { amount, time } = useFormats()
  const money = useMoney()
  const buying = order.role === 'BUYER'
  const traded = order.nft === null ? order.base : 'NFT'
  return (
    <Tr selected={selected}>
      <Td>
        <AppLink to="/order" query={{ id: order.id }} current={selected} replace className={ROW_LINK}>
          <span className={`block font-semibold ${buying ? 'text-brand' : 'text-sell'}`}>
            {buying ? <Trans>Buy {traded}</Trans> : <Trans>Sell {traded}</Trans>}
          </span>
          <span className="block text-muted text-xs">{time(order.createdAt)}</span>
        </AppLink>
      </Td>
      <Td end>
        <span className="font-semibold">{tradedText(amount, order, order.quantity)}</span>
      </Td>
      <Td end>
        {money(order.total, order.quote)} {order.quote}
      </Td>
      <Td>
        <span className="flex flex-wrap items-center gap-x-2 [overflow-wrap:anywhere]">
          {order.counterparty.nickname}
          <News order={order} />
        </span>
      </Td>
      <Td end>
        <span className="flex flex-wrap items-center justify-end gap-x-2 gap-y-0.5">
          <OrderState order={order} />
        </span>
      </Td>
    </Tr>
  )
}
