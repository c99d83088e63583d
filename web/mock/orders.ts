import type { Appeal, Deposit, Order, OrderAction, OrderState, OrderStep } from '../src/api/types.ts'
import { deposit } from './adverts.ts'
import { receipt } from './files.ts'
import { type Handlers, nextNumber, page } from './operation.ts'
import { bankCard } from './paymentMethods.ts'
import { traderAt, user } from './users.ts'
import { ADDRESS, HASH, minutesFromNow } from './values.ts'

const END_STATES = new Set<OrderState>(['COMPLETED', 'CANCELLED', 'REJECTED'])

const STEPS: OrderStep[] = [
  'SELLER_DEPOSITED',
  'BUYER_ACCEPTED',
  'BUYER_PAID',
  'SELLER_RECEIVED',
  'CHAIN_CONFIRMED',
]

function action(name: OrderAction['action'], reputationCost = 0, securityCode = false): OrderAction {
  const usesFree = reputationCost === 0 && (name === 'cancel' || name === 'askCancel')
  return { action: name, reputationCost, usesFree, securityCode, pass: false, movements: movements(name) }
}

function movements(name: OrderAction['action']): OrderAction['movements'] {
  if (name === 'confirm') {
    return [
      { kind: 'PAYOUT', asset: 'MEC', amount: '99.9', party: 'BUYER', address: ADDRESS.buyer },
      { kind: 'FEE', asset: 'MEC', amount: '0.1', party: 'BUYER', address: null },
    ]
  }
  const undone = ['cancel', 'reject', 'askCancel', 'agreeCancel'].includes(name)
  return undone
    ? [{ kind: 'BACK_TO_ADVERT', asset: 'MEC', amount: '100', party: 'SELLER', address: null }]
    : []
}

function appeal(extra: Partial<Appeal>): Appeal {
  return {
    id: '01980000-0000-7000-8000-0000000000a1',
    number: 1,
    filedBy: 'SELLER',
    reason: 'PAYMENT_NOT_RECEIVED',
    specificReason: 'Nothing has arrived in my account since the order was marked as paid.',
    filedAt: minutesFromNow(-30),
    status: 'PENDING',
    winner: null,
    initiatorWins: null,
    outcome: null,
    reviewNote: null,
    malicious: false,
    executesAt: null,
    endedAt: null,
    withdrawnBy: null,
    evidence: [],
    evidenceRequests: [],
    ...extra,
  }
}

function order(
  id: string,
  role: 'BUYER' | 'SELLER',
  state: OrderState,
  doneSteps: number,
  extra: Partial<Order> = {},
): Order {
  const actions: Partial<Record<OrderState, OrderAction[]>> =
    role === 'BUYER'
      ? {
          AWAITING_ACCEPTANCE: [action('cancel')],
          AWAITING_PAYMENT: [action('pay'), action('cancel', 20)],
          AWAITING_CONFIRMATION: [action('cancel', 20, true)],
          RELEASE_REVOKED: [action('recover')],
        }
      : {
          AWAITING_ACCEPTANCE: [action('accept'), action('reject')],
          AWAITING_PAYMENT: [action('askCancel')],
          AWAITING_CONFIRMATION: [action('confirm', 0, true), action('appeal', 20)],
          RELEASE_REVOKED: [action('recover')],
        }
  const ended = END_STATES.has(state)
  return {
    id,
    version: 3,
    state,
    overlay: null,
    appeal: null,
    appealFrom: null,
    appealReasons: [],
    role,
    kind: 'MANUAL',
    base: 'MEC',
    quote: 'USD',
    quantity: '100',
    price: '0.4835',
    total: '48.35',
    counterparty: traderAt(role === 'BUYER' ? 0 : 2),
    createdAt: minutesFromNow(-8),
    deadline: ended || state === 'RELEASING' || state === 'REFUNDING' ? null : minutesFromNow(14.53),
    overdue: false,
    covered: false,
    myTurn: (actions[state] ?? []).some((one) => ['accept', 'pay', 'confirm'].includes(one.action)),
    advertId: 'ad-1',
    advertiser: role === 'SELLER',
    fee: '0.1',
    feeAsset: 'MEC',
    receives: '99.9',
    receivingAddress: role === 'BUYER' ? ADDRESS.bound : ADDRESS.buyer,
    steps: STEPS.map((step, index) => ({
      step,
      at: index < doneSteps ? minutesFromNow(-8 + index * 2) : null,
      done: index < doneSteps,
    })),
    actions: actions[state] ?? [],
    graceUntil: null,
    money:
      state === 'COMPLETED' ? 'BUYER' : state === 'RELEASING' ? 'IN_FLIGHT' : ended ? 'RETURNED' : 'ESCROW',
    quoteMoney: null,
    payTo: state === 'AWAITING_ACCEPTANCE' ? null : bankCard,
    payerName: role === 'BUYER' ? 'Minh Tran' : 'Kaya Demir',
    payToAddress: null,
    deposit: null,
    payment:
      doneSteps > 2
        ? {
            methodId: 'm-1',
            reference: 'TX 48.35 / 0091',
            hash: null,
            receipts: [],
            hashRepeated: false,
            referenceRepeated: false,
            at: minutesFromNow(-2),
          }
        : null,
    paymentSeen: null,
    payouts:
      state === 'RELEASING' || state === 'COMPLETED'
        ? [
            {
              state: state === 'COMPLETED' ? 'CONFIRMED' : 'CONFIRMING',
              amount: '99.9',
              asset: 'MEC',
              to: role === 'BUYER' ? ADDRESS.bound : ADDRESS.buyer,
              hash: HASH,
              confirmations: { seen: state === 'COMPLETED' ? 3 : 1, needed: 3 },
            },
          ]
        : [],
    cancelAskedBy: null,
    unread: false,
    unreadMessages: 0,
    endReason: state === 'CANCELLED' ? 'PAYMENT_OVERDUE' : null,
    cancelledBy: null,
    rejection: null,
    serverTime: minutesFromNow(0),
    ...extra,
  }
}

const USDT = {
  quote: 'USDT',
  price: '0.4818',
  total: '48.18',
  payTo: null,
  payerName: null,
} satisfies Partial<Order>
const AUTOMATIC = { ...USDT, kind: 'AUTOMATIC', quoteMoney: 'BUYER' } satisfies Partial<Order>
const TO_ADDRESS = {
  ...USDT,
  payToAddress: { address: ADDRESS.receiving, chainType: 'ERC20', asset: 'USDT', amount: '48.18' },
} satisfies Partial<Order>

function usdtDeposit(extra: Partial<Deposit>): Deposit {
  const usdt = { asset: 'USDT', contract: ADDRESS.usdt, decimals: 6, needed: '48.18', shortfall: '48.18' }
  return deposit({ ...usdt, ...extra })
}

function seenPayment(
  from: string,
  seen: number,
  more: Partial<NonNullable<Order['paymentSeen']>> = {},
): Order['paymentSeen'] {
  const confirmations = { seen, needed: 3 }
  const known = { sender: 'BOUND', ambiguous: false, reported: false } as const
  return { chainId: 31337, index: 0, hash: HASH, from, amount: '48.18', confirmations, ...known, ...more }
}

export const orders: Order[] = [
  order('o-pay', 'BUYER', 'AWAITING_PAYMENT', 2, { unreadMessages: 2 }),
  order('o-accept', 'SELLER', 'AWAITING_ACCEPTANCE', 1, { deadline: minutesFromNow(4.2), unread: true }),
  order('o-confirm', 'SELLER', 'AWAITING_CONFIRMATION', 3, {
    deadline: minutesFromNow(1.6),
    payment: {
      methodId: 'm-1',
      reference: 'TX 48.35 / 0091',
      hash: null,
      receipts: [receipt('f-1'), { ...receipt('f-2'), usedBefore: true }],
      hashRepeated: false,
      referenceRepeated: false,
      at: minutesFromNow(-2),
    },
  }),
  order('o-wait', 'BUYER', 'AWAITING_CONFIRMATION', 3),
  order('o-release', 'BUYER', 'RELEASING', 4),
  order('o-auto', 'BUYER', 'AWAITING_PAYMENT', 2, {
    ...AUTOMATIC,
    actions: [action('checkDeposit'), action('cancel')],
    deposit: usdtDeposit({ balance: '60', deadline: minutesFromNow(14) }),
  }),
  order('o-usdt', 'BUYER', 'AWAITING_PAYMENT', 2, TO_ADDRESS),
  order('o-arrived', 'BUYER', 'AWAITING_PAYMENT', 2, {
    ...AUTOMATIC,
    covered: true,
    myTurn: false,
    deadline: minutesFromNow(-3),
    actions: [action('checkDeposit')],
    deposit: usdtDeposit({
      confirming: '48.18',
      shortfall: '0',
      confirmations: { seen: 1, needed: 3 },
      transfers: [{ hash: HASH, amount: '48.18', confirmations: 1 }],
      deadline: minutesFromNow(-3),
    }),
  }),
  order('o-late', 'BUYER', 'AWAITING_CONFIRMATION', 3, { overdue: true, deadline: minutesFromNow(-20) }),
  order('o-late-seller', 'SELLER', 'AWAITING_CONFIRMATION', 3, {
    overdue: true,
    deadline: minutesFromNow(-20),
  }),
  order('o-asked', 'BUYER', 'AWAITING_PAYMENT', 2, {
    cancelAskedBy: 'SELLER',
    actions: [action('pay'), action('agreeCancel'), action('cancel')],
  }),
  order('o-ask', 'SELLER', 'AWAITING_PAYMENT', 2),
  order('o-seen', 'SELLER', 'AWAITING_CONFIRMATION', 3, {
    ...TO_ADDRESS,
    paymentSeen: seenPayment(ADDRESS.buyer, 1),
  }),
  order('o-seen-buyer', 'BUYER', 'AWAITING_PAYMENT', 2, {
    ...TO_ADDRESS,
    paymentSeen: seenPayment(ADDRESS.bound, 3),
  }),
  order('o-ambiguous', 'SELLER', 'AWAITING_CONFIRMATION', 3, {
    ...TO_ADDRESS,
    payment: {
      methodId: null,
      reference: null,
      hash: HASH,
      receipts: [],
      hashRepeated: true,
      referenceRepeated: false,
      at: minutesFromNow(-2),
    },
    paymentSeen: seenPayment(ADDRESS.buyer, 1, { sender: 'UNKNOWN', ambiguous: true, reported: true }),
  }),
  order('o-ambiguous-buyer', 'BUYER', 'AWAITING_PAYMENT', 2, {
    ...TO_ADDRESS,
    paymentSeen: seenPayment(ADDRESS.bound, 3, { sender: 'UNKNOWN', ambiguous: true }),
    graceUntil: minutesFromNow(9),
  }),
  order('o-left', 'BUYER', 'CANCELLED', 2, AUTOMATIC),
  order('o-frozen', 'BUYER', 'AWAITING_PAYMENT', 2, { overlay: 'FROZEN' }),
  order('o-frozen-seller', 'SELLER', 'AWAITING_PAYMENT', 2, { overlay: 'FROZEN', actions: [] }),
  order('o-appealed', 'BUYER', 'AWAITING_CONFIRMATION', 3, {
    overlay: 'UNDER_APPEAL',
    appeal: appeal({}),
    actions: [action('addEvidence'), action('withdrawAppeal')],
  }),
  order('o-evidence', 'BUYER', 'AWAITING_CONFIRMATION', 3, {
    overlay: 'UNDER_APPEAL',
    appeal: appeal({
      id: '01980000-0000-7000-8000-0000000000a2',
      evidenceRequests: [
        {
          id: 2,
          kind: 'BANK_STATEMENT',
          details: 'Of the account that you paid from, with your name and all transfers since Monday.',
          askedAt: minutesFromNow(-50),
          dueAt: minutesFromNow(23 * 60 + 10),
          answeredAt: null,
        },
      ],
    }),
    actions: [action('addEvidence'), action('withdrawAppeal')],
  }),
  order('o-decided', 'SELLER', 'AWAITING_CONFIRMATION', 3, {
    overlay: 'UNDER_APPEAL',
    appeal: appeal({
      status: 'DECIDED',
      winner: 'SELLER',
      initiatorWins: true,
      outcome: 'CANCEL',
      reviewNote: 'The bank statement shows no payment from the buyer.',
      executesAt: minutesFromNow(60 * 23),
    }),
    actions: [],
  }),
  order('o-restored', 'BUYER', 'AWAITING_PAYMENT', 2, {
    appeal: appeal({ status: 'WITHDRAWN', endedAt: minutesFromNow(-1), withdrawnBy: 'SELLER' }),
  }),
  order('o-appeal', 'SELLER', 'AWAITING_CONFIRMATION', 3, {
    appealFrom: minutesFromNow(-2),
    appealReasons: [
      'PAYMENT_NOT_RECEIVED',
      'WRONG_AMOUNT',
      'THIRD_PARTY_PAYMENT',
      'FRAUD',
      'UNRESPONSIVE',
      'OTHER',
    ],
  }),
  order('o-appeal-later', 'BUYER', 'AWAITING_CONFIRMATION', 3, { appealFrom: minutesFromNow(14.53) }),
  order('o-paying', 'BUYER', 'AWAITING_PAYMENT', 2),
  order('o-releasing', 'SELLER', 'AWAITING_CONFIRMATION', 3),
  order('o-done', 'SELLER', 'COMPLETED', 5),
  order('o-revoked', 'BUYER', 'RELEASE_REVOKED', 4),
  order('o-cancelled', 'BUYER', 'CANCELLED', 2),
  order('o-rejected', 'BUYER', 'REJECTED', 1, { rejection: 'My bank is closed today.' }),
]

function find(id: string): Order | undefined {
  const found = orders.find((one) => one.id === id)
  return found && Object.assign(found, { serverTime: minutesFromNow(0) })
}

function move(id: string, change: Partial<Order>, doneSteps = 0): Order | undefined {
  const found = find(id)
  if (found === undefined) return undefined
  const steps = found.steps.map((step, index) =>
    index < doneSteps ? { ...step, done: true, at: step.at ?? minutesFromNow(0) } : step,
  )
  return Object.assign(found, change, { steps, version: found.version + 1 })
}

export const handlers: Handlers = {
  'GET /c2c/deal/order/record/{id}': ({ path, refuse }) => {
    const order = find(path.id) ?? refuse('5007')
    const record = JSON.stringify({ header: { format: 'mec2c order record 1', order: order.id } })
    return new Response(`${record}\n`, {
      headers: {
        'content-type': 'application/jsonl',
        'content-disposition': `attachment; filename="mec2c-order-${order.id}.jsonl"`,
      },
    })
  },
  'POST /c2c/deal/order': ({ body, refuse }) => {
    if (body.quantity?.startsWith('7')) refuse('5043', { price: '0.4851' })
    const created: Order = {
      ...(find('o-accept') ?? refuse('5000')),
      id: `o-${nextNumber()}x`,
      role: 'BUYER',
      actions: [action('cancel')],
      quantity: body.quantity ?? '0',
    }
    orders.unshift(created)
    return created
  },
  'GET /c2c/deal/order/page': ({ query }) =>
    page(
      orders.filter(
        (one) => query.finish === undefined || END_STATES.has(one.state) === (query.finish === 'true'),
      ),
      query,
    ),
  'GET /c2c/deal/order/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5007'),
  'POST /c2c/deal/order/take/{id}': ({ path, refuse }) =>
    move(
      path.id,
      {
        state: 'AWAITING_PAYMENT',
        deadline: minutesFromNow(30),
        actions: [action('askCancel')],
        myTurn: false,
      },
      2,
    ) ?? refuse('5007'),
  'POST /c2c/deal/order/cancel/{id}': ({ path, body, refuse }) => {
    const found = find(path.id)
    const rejects = found?.state === 'AWAITING_ACCEPTANCE' && found.advertiser
    const end: Partial<Order> = rejects
      ? { state: 'REJECTED', rejection: body.reason ?? null }
      : { state: 'CANCELLED', endReason: 'WITHDRAWN', cancelledBy: found?.role ?? null }
    return move(path.id, { ...end, actions: [], deadline: null, money: 'RETURNED' }) ?? refuse('5007')
  },
  'POST /c2c/deal/order/confirm/{id}': ({ path, refuse }) => {
    const payouts = find('o-release')?.payouts ?? []
    const releasing: Partial<Order> = { state: 'RELEASING', actions: [], deadline: null }
    return move(path.id, { ...releasing, money: 'IN_FLIGHT', payouts }, 4) ?? refuse('5007')
  },
  'POST /c2c/deal/order/pay/{id}': ({ path, refuse }) =>
    move(
      path.id,
      { state: 'AWAITING_CONFIRMATION', deadline: minutesFromNow(30), actions: [action('cancel', 20, true)] },
      3,
    ) ?? refuse('5007'),
  'POST /c2c/deal/order/recover/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5007'),
  'POST /c2c/deal/order/deposit/{id}': ({ path, refuse }) => find(path.id) ?? refuse('5007'),
  'POST /c2c/deal/order/askCancel/{id}': ({ path, refuse }) =>
    move(path.id, { cancelAskedBy: 'SELLER', actions: [] }) ?? refuse('5007'),
  'POST /c2c/deal/order/agreeCancel/{id}': ({ path, refuse }) =>
    move(path.id, { state: 'CANCELLED', actions: [] }) ?? refuse('5007'),
  'POST /c2c/appeal': ({ body, refuse }) =>
    move(
      body.orderId,
      {
        overlay: 'UNDER_APPEAL',
        actions: [action('addEvidence'), action('withdrawAppeal')],
        appeal: appeal({
          reason: body.reason,
          specificReason: body.specificReason ?? null,
          filedAt: minutesFromNow(0),
        }),
      },
      3,
    ) ?? refuse('5007'),
  'POST /c2c/appeal/{id}': ({ path, refuse }) => {
    const found = orders.find((one) => one.appeal?.id === path.id && one.overlay === 'UNDER_APPEAL')
    const withdrawn = {
      status: 'WITHDRAWN',
      endedAt: minutesFromNow(0),
      withdrawnBy: found?.role ?? null,
    } as const
    return (
      move(found?.id ?? '', { overlay: null, actions: [], appeal: appeal(withdrawn) }, 3) ?? refuse('5001')
    )
  },
  'POST /c2c/appeal/evidence/{id}': ({ path, refuse }) =>
    orders.find((one) => one.appeal?.id === path.id) ?? refuse('5001'),
  'GET /c2c/appeal/page': ({ query }) => page([], query),
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
