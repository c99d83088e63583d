import type { Order, OrderState } from '../src/api/types.ts'
import { exampleOrder, type OrderExample } from './examples.ts'
import { hallAdvertOf } from './market.ts'
import { nft } from './nfts.ts'
import { nftOrder, orderedNft } from './nftTrades.ts'
import { type Handlers, nextNumber, page } from './operation.ts'
import { user } from './users.ts'
import { minutesFromNow } from './values.ts'

const END_STATES = new Set<OrderState>(['COMPLETED', 'CANCELLED', 'REJECTED'])

const NAMES: Record<string, OrderExample> = {
  'o-pay': 'no-free-cancellations/buyer',
  'o-accept': 'placed/seller',
  'o-confirm': 'marked-as-paid-with-receipts/seller',
  'o-wait': 'marked-as-paid/buyer',
  'o-release': 'releasing/buyer',
  'o-auto': 'swap-awaiting-payment/buyer',
  'o-usdt': 'usdt-awaiting-payment/buyer',
  'o-arrived': 'swap-arrived/buyer',
  'o-late': 'confirmation-overdue/buyer',
  'o-late-seller': 'confirmation-overdue/seller',
  'o-asked': 'cancellation-asked/buyer',
  'o-ask': 'awaiting-payment/seller',
  'o-seen': 'usdt-marked-as-paid/seller',
  'o-seen-buyer': 'usdt-payment-seen/buyer',
  'o-ambiguous': 'usdt-ambiguous-marked-as-paid/seller',
  'o-ambiguous-buyer': 'usdt-ambiguous/buyer',
  'o-left': 'swap-cancelled/buyer',
  'o-frozen': 'frozen/buyer',
  'o-frozen-seller': 'frozen/seller',
  'o-appealed': 'appealed/buyer',
  'o-evidence': 'evidence-asked/buyer',
  'o-decided': 'decided-for-seller/seller',
  'o-restored': 'appeal-ended-before-payment/buyer',
  'o-appeal': 'marked-as-paid/seller',
  'o-appeal-later': 'marked-as-paid/buyer',
  'o-paying': 'awaiting-payment/buyer',
  'o-releasing': 'marked-as-paid/seller',
  'o-done': 'completed/seller',
  'o-revoked': 'release-revoked/buyer',
  'o-cancelled': 'payment-lapsed/buyer',
  'o-rejected': 'rejected/buyer',
  'o-deposit': 'bought-awaiting-deposit/seller',
  'o-bought': 'bought-awaiting-deposit/buyer',
  'o-buy': 'bought-placed/buyer',
  'o-refund': 'bought-refunding/seller',
}

/** What the user has not read. The mock has conversations of its own. */
const UNREAD: Record<string, Partial<Order>> = {
  'o-pay': { unreadMessages: 2 },
  'o-accept': { unread: true },
}

export const orders: Order[] = [
  ...Object.entries(NAMES).map(([id, name]) =>
    Object.assign(exampleOrder(name, id), { unread: false }, UNREAD[id]),
  ),
  nftOrder('usdt-awaiting-payment/buyer', 'o-nft', nft('213')),
  nftOrder('usdt-marked-as-paid/seller', 'o-nft-sold', nft('55')),
  nftOrder('appealed/buyer', 'o-nft-appealed', nft('239', 'SVG')),
  nftOrder('completed/seller', 'o-nft-done', nft('252')),
]

function find(id: string): Order | undefined {
  const found = orders.find((one) => one.id === id)
  return found && Object.assign(found, { serverTime: minutesFromNow(0) })
}

/** Returns whether an order is what the filters of the history want. */
const matches =
  ({ search = '', from, to, asset }: Partial<Record<'search' | 'from' | 'to' | 'asset', string>>) =>
  (one: Order) =>
    (one.id.startsWith(search) || one.counterparty.nickname?.toLowerCase() === search.toLowerCase()) &&
    (from === undefined || Date.parse(one.createdAt) >= Date.parse(from)) &&
    (to === undefined || Date.parse(one.createdAt) < Date.parse(to)) &&
    (asset === undefined || [one.base, one.quote].includes(asset))

/** Returns the appeal about an order, as lists show it. */
function caseOf({ appeal, id, state, role, counterparty, base, quote, quantity, total }: Order) {
  if (appeal === null) return []
  const shown = { ...appeal, evidence: [], evidenceRequests: [] }
  const parties = { role, counterparty: counterparty.nickname }
  return [{ appeal: shown, orderId: id, orderState: state, ...parties, base, quote, quantity, total }]
}

type Party = 'buyer' | 'seller'

/** Makes an order look like another example, from the view of the same party. */
function become(
  found: Order | undefined,
  example: (party: Party, order: Order) => OrderExample,
  change: Partial<Order> = {},
): Order | undefined {
  if (found === undefined) return undefined
  const next = exampleOrder(example(found.role === 'BUYER' ? 'buyer' : 'seller', found), found.id)
  return Object.assign(found, next, change, { version: found.version + 1, unread: false })
}

export const handlers: Handlers = {
  'GET /c2c/deal/order/record/{id}': ({ path, refuse }) => {
    const order = find(path.id) ?? refuse('5007')
    const record = JSON.stringify({ header: { format: 'mec2c order record 3', order: order.id } })
    return new Response(`${record}\n`, {
      headers: {
        'content-type': 'application/jsonl',
        'content-disposition': `attachment; filename="mec2c-order-${order.id}.jsonl"`,
      },
    })
  },
  'POST /c2c/deal/order': ({ body, refuse }) => {
    if (body.quantity?.startsWith('7')) refuse('5043', { price: '0.4851' })
    const ordered = orderedNft(hallAdvertOf(body.advertId))
    if (ordered !== null) {
      const bought = nftOrder('usdt-awaiting-payment/buyer', `o-${nextNumber()}x`, ordered)
      orders.unshift(bought)
      return bought
    }
    const buys = body.advertId.startsWith('a-BUY')
    const created = exampleOrder(buys ? 'bought-placed/seller' : 'placed/buyer', `o-${nextNumber()}x`)
    orders.unshift(created)
    return created
  },
  'GET /c2c/deal/order/page': ({ query, refuse }) => {
    if (query.from !== undefined && query.to !== undefined && query.from > query.to) {
      refuse('400', { field: 'to', reason: 'before `from`' })
    }
    const listed = orders.filter(
      (one) => query.finish === undefined || END_STATES.has(one.state) === (query.finish === 'true'),
    )
    return page(listed.filter(matches(query)), query)
  },
  'GET /c2c/deal/order/export': ({ query }) => {
    const listed = orders.filter((one) => END_STATES.has(one.state)).filter(matches(query))
    const rows = ['Order ID,Status', ...listed.map((one) => `${one.id},${one.state}`)]
    return new Response(`${rows.join('\r\n')}\r\n`, {
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="mec2c-orders-2026-01-01.csv"',
        'x-more-orders': 'false',
      },
    })
  },
  'GET /c2c/deal/order/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5007'),
  'POST /c2c/deal/order/take/{id}': ({ path, refuse }) =>
    become(find(path.id), (party) =>
      party === 'buyer' ? 'bought-awaiting-deposit/buyer' : 'awaiting-payment/seller',
    ) ?? refuse('5007'),
  'POST /c2c/deal/order/cancel/{id}': ({ path, body, refuse }) => {
    const found = find(path.id)
    const rejects = found?.state === 'AWAITING_ACCEPTANCE' && found.advertiser
    return (
      (rejects
        ? become(found, (party) => `rejected/${party}`, { rejection: body.reason ?? null })
        : become(found, (party, { kind }) => `${kind === 'AUTOMATIC' ? 'swap-' : ''}cancelled/${party}`)) ??
      refuse('5007')
    )
  },
  'POST /c2c/deal/order/confirm/{id}': ({ path, refuse }) =>
    become(find(path.id), (party) => `releasing/${party}`) ?? refuse('5007'),
  'POST /c2c/deal/order/pay/{id}': ({ path, refuse }) =>
    become(find(path.id), (party) => `marked-as-paid/${party}`) ?? refuse('5007'),
  'POST /c2c/deal/order/recover/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5007'),
  'POST /c2c/deal/order/deposit/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5007'),
  'POST /c2c/deal/order/askCancel/{id}': ({ path, refuse }) =>
    become(find(path.id), (party) => `cancellation-asked/${party}`) ?? refuse('5007'),
  'POST /c2c/deal/order/agreeCancel/{id}': ({ path, refuse }) =>
    become(find(path.id), (party) => `cancellation-agreed/${party}`) ?? refuse('5007'),
  'POST /c2c/appeal': ({ body, refuse }) =>
    become(find(body.orderId), (party) =>
      party === 'buyer' ? 'appealed-by-buyer/buyer' : 'appealed/seller',
    ) ?? refuse('5007'),
  'POST /c2c/appeal/{id}': ({ path, refuse }) => {
    const found = orders.find((one) => one.appeal?.id === path.id && one.overlay === 'UNDER_APPEAL')
    return become(found, (party) => `appeal-withdrawn-by-${party}/${party}`) ?? refuse('5001')
  },
  'POST /c2c/appeal/evidence/{id}': ({ path, refuse }) =>
    orders.find((one) => one.appeal?.id === path.id) ?? refuse('5001'),
  'GET /c2c/appeal/page': ({ query }) => page(orders.flatMap(caseOf), query),
  'GET /c2c/appeal/{id}': ({ refuse }) => refuse('5001'),
  'POST /c2c/deal/order/updateRead': () => null,
  'GET /c2c/deal/order/cancel/times': () => ({
    reputation: user.reputation,
    freeLeft: 2,
    freePerDay: 3,
    deduct: 20,
    nextCost: 0,
  }),
}
