import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Order } from '@/api/types'
import { CoinLocation } from './CoinLocation'
import { depositedCoin } from './UnusedDeposit'

const AT = '2026-11-21T12:00:00Z'

/** Returns an order of 5 MEC for 2.5 USDT. */
function order(facts: Partial<Order>): Order {
  return {
    id: 'o-1',
    version: 3,
    state: 'CANCELLED',
    overlay: null,
    appeal: null,
    appealFrom: null,
    appealReasons: [],
    role: 'BUYER',
    advertiser: false,
    kind: 'MANUAL',
    advertId: 'a-1',
    base: 'MEC',
    nft: null,
    prepayment: null,
    quote: 'USDT',
    quantity: '5',
    price: '0.5',
    total: '2.5',
    fee: '0.005',
    feeAsset: 'MEC',
    receives: '4.995',
    receivingAddress: '0x1',
    counterparty: {
      id: 'u-1',
      nickname: 'Ben',
      countryCode: 'VN',
      certified: false,
      verified: false,
      fast: false,
      stats: {
        orders30d: 0,
        completionRate: null,
        averageConfirmSeconds: null,
        confirmations: 0,
        lateConfirmations: 0,
        acceptanceRate: null,
      },
    },
    createdAt: AT,
    deadline: null,
    overdue: false,
    covered: false,
    graceUntil: null,
    myTurn: false,
    steps: [],
    actions: [],
    money: 'RETURNED',
    quoteMoney: null,
    payTo: null,
    payerName: null,
    payToAddress: null,
    deposit: null,
    payment: null,
    paymentSeen: null,
    payouts: [],
    cancelAskedBy: null,
    unread: false,
    unreadMessages: 0,
    endReason: null,
    cancelledBy: null,
    rejection: null,
    serverTime: AT,
    ...facts,
  }
}

function said(facts: Partial<Order>): string {
  const { container, unmount } = render(
    <QueryClientProvider client={new QueryClient()}>
      <I18nProvider i18n={i18n}>
        <CoinLocation order={order(facts)} />
      </I18nProvider>
    </QueryClientProvider>,
  )
  const text = container.textContent?.trim() ?? ''
  unmount()
  return text
}

const PAID: Order['payment'] = {
  methodId: null,
  reference: null,
  hash: null,
  receipts: [],
  hashRepeated: false,
  referenceRepeated: false,
  at: AT,
}
const RELEASED: Order['appeal'] = {
  id: 'p-1',
  number: 1,
  status: 'EXECUTED',
  outcome: 'RELEASE',
  winner: 'BUYER',
  initiatorWins: false,
  malicious: false,
  reason: 'PAYMENT_NOT_RECEIVED',
  specificReason: null,
  reviewNote: 'The bank confirms the transfer.',
  evidence: [],
  evidenceRequests: [],
  filedBy: 'SELLER',
  withdrawnBy: null,
  filedAt: AT,
  executesAt: null,
  endedAt: AT,
}
const SELLS = { role: 'SELLER', advertiser: true } as const
const DEPOSITS = { role: 'SELLER', advertiser: false } as const
const ADVERTISES = { role: 'BUYER', advertiser: true } as const
/** An automatic order with both coins in escrow. */
const SWAPPED = { kind: 'AUTOMATIC', quoteMoney: 'RETURNED' } as const
const DONE = { state: 'COMPLETED', money: 'BUYER' } as const
const REPEATED = { state: 'RELEASE_REVOKED', money: 'IN_FLIGHT' } as const

const FROZEN = { state: 'AWAITING_DEPOSIT', overlay: 'FROZEN' } as const
const refund = (amount: string): Order['payouts'][number] => ({
  amount,
  asset: 'MEC',
  to: '0x1',
  state: 'CONFIRMING',
  hash: '0x2',
  confirmations: { seen: 1, needed: 3 },
})

test.each<[Partial<Order>, string]>([
  [{ ...DONE }, '4.995 MEC has arrived at your address. You paid 2.5 USDT directly to the seller.'],
  [
    { ...DONE, ...SELLS },
    '4.995 MEC has arrived at the buyer’s address. The buyer paid 2.5 USDT directly to you.',
  ],
  [{ ...DONE, appeal: RELEASED }, '4.995 MEC has arrived at your address. An officer decided the appeal.'],
  [
    { ...DONE, ...SELLS, ...SWAPPED, quoteMoney: 'SELLER' },
    '4.995 MEC has arrived at the buyer’s address. 2.5 USDT has arrived at your receiving address.',
  ],
  [{}, '5 MEC was returned to the seller. Nothing was released.'],
  [{ ...SELLS }, '5 MEC was returned to your ad. Nothing was released.'],
  [
    { payment: PAID },
    '5 MEC was returned to the seller. Nothing was released. Anything you paid went directly to the seller and was never in escrow.',
  ],
  [
    { ...SELLS, payment: PAID },
    '5 MEC was returned to your ad. Nothing was released. If the buyer’s payment reaches you, send it back.',
  ],
  [{ state: 'REJECTED', ...SELLS }, '5 MEC was returned to your ad. Nothing was released.'],
  [{ state: 'REFUNDING', money: 'IN_FLIGHT' }, '5 MEC is being returned to the seller.'],
  [
    { ...DEPOSITS, state: 'REFUNDING', money: 'IN_FLIGHT', payouts: [refund('4.99')] },
    '4.99 MEC is on the way to your bound address. It’s there once the transfer is confirmed on-chain, usually within minutes.',
  ],
  [{ ...DEPOSITS, payouts: [refund('4.99')] }, '4.99 MEC was returned to your bound address.'],
  [
    { ...DEPOSITS, kind: 'AUTOMATIC', state: 'AWAITING_DEPOSIT', money: 'SELLER', quoteMoney: 'ESCROW' },
    'You still hold 5 MEC. 2.5 USDT is locked in escrow on-chain.',
  ],
  [
    { ...DEPOSITS, ...SWAPPED, state: 'REFUNDING', money: 'IN_FLIGHT', payouts: [refund('5')] },
    '5 MEC is on the way to your bound address. It’s there once the transfer is confirmed on-chain, usually within minutes. 2.5 USDT was returned to the buyer’s ad.',
  ],
  [
    { ...ADVERTISES, ...SWAPPED, state: 'REFUNDING', money: 'IN_FLIGHT', payouts: [refund('5')] },
    '5 MEC is being returned to the seller. 2.5 USDT was returned to your ad.',
  ],
  [
    { ...DEPOSITS, ...SWAPPED, state: 'RELEASING', money: 'IN_FLIGHT', quoteMoney: 'IN_FLIGHT' },
    '5 MEC is reserved for the buyer and is being sent. 2.5 USDT goes to you in the same transaction.',
  ],
  [
    { ...FROZEN, kind: 'AUTOMATIC', money: 'SELLER', quoteMoney: 'ESCROW' },
    'The seller still holds 5 MEC. 2.5 USDT was in escrow, but the deposit was reversed on-chain.',
  ],
  [
    { ...FROZEN, kind: 'AUTOMATIC', money: 'ESCROW', quoteMoney: 'BUYER' },
    '5 MEC was in escrow, but the deposit was reversed on-chain.',
  ],
  [
    { ...FROZEN, kind: 'AUTOMATIC', money: 'ESCROW', quoteMoney: 'ESCROW' },
    '5 MEC was in escrow, but one of the deposits was reversed on-chain.',
  ],
  [
    { ...DEPOSITS },
    '5 MEC was returned to your bound address, minus network fees if you caused the cancellation.',
  ],
  [{ ...DEPOSITS, money: 'SELLER' }, '5 MEC was never deposited into escrow for this order.'],
  [
    { ...ADVERTISES, ...SWAPPED, money: 'SELLER' },
    '5 MEC was never deposited into escrow for this order. 2.5 USDT was returned to your ad.',
  ],
  [
    { ...DEPOSITS, ...SWAPPED },
    '5 MEC was returned to your bound address, minus network fees if you caused the cancellation. 2.5 USDT was returned to the buyer’s ad.',
  ],
  [{ ...SWAPPED, quoteMoney: 'BUYER' }, '5 MEC was returned to the seller. Nothing was released.'],
  [
    { ...SWAPPED },
    '5 MEC was returned to the seller. Nothing was released. 2.5 USDT was returned to your bound address, minus network fees if you caused the cancellation.',
  ],
  [
    { ...SWAPPED, state: 'REFUNDING', quoteMoney: 'IN_FLIGHT' },
    '5 MEC was returned to the seller. Nothing was released. 2.5 USDT is being returned to your bound address.',
  ],
  [
    { ...SWAPPED, ...SELLS, state: 'REFUNDING', quoteMoney: 'IN_FLIGHT' },
    '5 MEC was returned to your ad. Nothing was released. 2.5 USDT is being returned to the buyer.',
  ],
  [
    { ...SWAPPED, state: 'REFUNDING', quoteMoney: 'ESCROW' },
    '5 MEC was returned to the seller. Nothing was released. 2.5 USDT is locked in escrow on-chain.',
  ],
  [
    { ...SWAPPED, ...SELLS, state: 'RELEASING', money: 'IN_FLIGHT', quoteMoney: 'IN_FLIGHT' },
    '5 MEC is reserved for the buyer and is being sent. 2.5 USDT goes to you in the same transaction.',
  ],
  [
    { ...SWAPPED, state: 'RELEASING', money: 'ESCROW', quoteMoney: 'ESCROW' },
    '5 MEC is locked in escrow on-chain. 2.5 USDT is locked in escrow on-chain.',
  ],
  [
    {
      ...SWAPPED,
      ...SELLS,
      state: 'AWAITING_PAYMENT',
      money: 'ESCROW',
      quoteMoney: 'ESCROW',
      overlay: 'UNDER_APPEAL',
    },
    '5 MEC is locked in escrow on-chain. 2.5 USDT is locked in escrow on-chain.',
  ],
  [{ ...REPEATED }, '5 MEC is reserved for you until the transfer is sent again.'],
  [{ ...REPEATED, ...SELLS }, '5 MEC is reserved for the buyer until the transfer is sent again.'],
])('%o says where every coin is', (facts, words) => {
  expect(said(facts)).toBe(words)
})

test('only a user who deposits for the order itself has a deposited coin', () => {
  expect(depositedCoin(order({ kind: 'AUTOMATIC' }))).toBe('USDT')
  expect(depositedCoin(order({ ...DEPOSITS }))).toBe('MEC')
  expect(depositedCoin(order({}))).toBeNull()
  expect(depositedCoin(order({ ...SELLS }))).toBeNull()
  expect(depositedCoin(order({ ...ADVERTISES, kind: 'AUTOMATIC' }))).toBeNull()
})
