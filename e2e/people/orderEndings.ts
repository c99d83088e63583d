import { expect } from '@playwright/test'
import { feeOf, minus } from './money.ts'
import { type FundRecord, fundRecords } from './orderCalls.ts'
import { COSTS, type TestOrder } from './testOrder.ts'

/** How an order ends: sold, or why not, and what becomes of the taker's deposit, if there was one. */
export type Result = 'sold' | [reason: string, deposit?: 'returned' | 'returned at a cost']

type Party = 'seller' | 'buyer'

interface Transfer {
  asset: string
  amount: string
  to: string
}

/** Returns the transfers on the chain with which an order ends. */
function transfersOf(order: TestOrder, result: Result): Transfer[] {
  const { seller, buyer, taker, deposit, total, quantity } = order
  const { base, kind } = order.advert.type
  if (result === 'sold') {
    const amount = base === 'ART' ? '1' : minus(quantity, feeOf(quantity))
    const payment = { asset: 'USDT', amount: total, to: seller.address.toLowerCase() }
    return [
      { asset: base, amount, to: buyer.address.toLowerCase() },
      ...(kind === 'AUTOMATIC' ? [payment] : []),
    ]
  }
  if (result[1] === undefined || deposit === undefined) return []
  const amount = result[1] === 'returned' ? deposit.amount : minus(deposit.amount, COSTS.return[deposit.coin])
  return [{ asset: deposit.coin, amount, to: taker.address.toLowerCase() }]
}

/** Returns what the fund records of a party say about these transfers. */
function recordsOf(order: TestOrder, result: Result, party: Party): Partial<FundRecord>[] {
  return transfersOf(order, result).flatMap(({ asset, amount }, leg) => {
    const isBase = leg === 0
    if (result !== 'sold') {
      const whole = order.deposit?.amount ?? ''
      return order[party] === order.taker
        ? [{ type: 'REFUND', direction: 'OUT', asset, amount, effect: `-${whole}` }]
        : []
    }
    const leaves = party === (isBase ? 'seller' : 'buyer')
    return [
      {
        type: isBase ? 'RELEASE' : 'PAYMENT',
        direction: leaves ? 'OUT' : 'DIRECT',
        asset,
        amount,
        effect: leaves ? `-${isBase ? order.quantity : amount}` : '0',
      },
    ]
  })
}

/** Checks that both parties see how the order has ended, and what it has moved. */
export async function check(order: TestOrder, result: Result): Promise<void> {
  const sold = result === 'sold'
  const { id } = order
  for (const party of ['seller', 'buyer'] as const) {
    const seen = await order.reaches(sold ? /COMPLETED/ : /CANCELLED/)
    const found = await fundRecords(order[party])
    const records = found.filter(({ orderId }) => orderId === id)
    expect(seen.endReason).toBe(sold ? null : result[0])
    expect([...seen.payouts, ...records].every(({ state }) => /^(?:CONFIRMED|COMPLETED)$/.test(state))).toBe(
      true,
    )
    expect(seen.payouts.map(({ asset, amount, to }) => ({ asset, amount, to: to.toLowerCase() }))).toEqual(
      transfersOf(order, result),
    )
    expect(byType(records)).toMatchObject(byType(recordsOf(order, result, party)))
  }
}

function byType<T extends { type?: string }>(records: readonly T[]): T[] {
  return records.toSorted((one, other) => (one.type ?? '').localeCompare(other.type ?? ''))
}
