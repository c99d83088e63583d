import { expect, test } from 'vitest'
import { type OrderTaskFacts, orderTask, STATE_LABELS, stateLabel, stepLabel } from './labels'

const order = (facts: Partial<OrderTaskFacts>): OrderTaskFacts => ({
  state: 'AWAITING_PAYMENT',
  role: 'BUYER',
  kind: 'MANUAL',
  advertiser: false,
  overlay: null,
  covered: false,
  paymentSeen: null,
  nft: null,
  ...facts,
})

test('every state has a text for each role', () => {
  for (const state of Object.keys(STATE_LABELS) as (keyof typeof STATE_LABELS)[]) {
    for (const role of ['BUYER', 'SELLER'] as const) {
      for (const kind of ['MANUAL', 'AUTOMATIC'] as const) {
        expect(orderTask(order({ state, role, kind })).text.message, `${state} ${role} ${kind}`).toBeTruthy()
      }
    }
  }
})

test('the advertiser accepts, whether buyer or seller', () => {
  const sentence = (role: 'BUYER' | 'SELLER', advertiser: boolean) =>
    orderTask(order({ state: 'AWAITING_ACCEPTANCE', role, advertiser })).text.message
  expect(sentence('SELLER', true)).toBe('Accept or reject within')
  expect(sentence('BUYER', true)).toBe('Accept or reject within')
  expect(sentence('BUYER', false)).toBe('Waiting for the other party to accept')
})

test('an automatic order does not tell the buyer to pay the seller', () => {
  expect(orderTask(order({ kind: 'AUTOMATIC' })).text.message).toBe('Send the payment within')
})

test('an automatic order says that a release pays both parties, and a refund whoever deposited', () => {
  const text = (facts: Partial<OrderTaskFacts>) =>
    orderTask(order({ kind: 'AUTOMATIC', ...facts })).text.message
  expect(text({ role: 'BUYER', state: 'RELEASING' })).toBe('Your coins are on the way')
  expect(text({ role: 'SELLER', state: 'RELEASING' })).toBe('The payment is on the way to you')
  expect(text({ role: 'BUYER', state: 'COMPLETED' })).toBe('Completed. You’ve received the coins.')
  expect(text({ role: 'SELLER', state: 'COMPLETED' })).toBe('Completed. You’ve received the payment.')
  const refunds = (role: 'BUYER' | 'SELLER', advertiser: boolean) =>
    text({ role, advertiser, state: 'REFUNDING' })
  expect(refunds('BUYER', false)).toBe('Returning the escrowed coins to you')
  expect(refunds('SELLER', true)).toBe('Returning the escrowed coins to the buyer')
  expect(refunds('BUYER', true)).toBe('Returning the escrowed coins to the seller')
  expect(refunds('SELLER', false)).toBe('Returning the escrowed coins to you')
})

test('an order about an NFT speaks of the NFT, and of the coins that pay it', () => {
  const nft = { id: '1', classId: 'gardens', album: 'Gardens', nftId: '17' }
  const about = { nft: { ...nft, name: null, picture: null, pictureRefused: 'PENDING' as const } }
  const text = (facts: Partial<OrderTaskFacts>) => orderTask({ ...order(facts), ...about }).text.message
  expect(text({ state: 'RELEASING' })).toBe('Your NFT is on the way')
  expect(text({ state: 'COMPLETED', role: 'SELLER' })).toBe('Completed. The buyer has received the NFT.')
  expect(text({ state: 'AWAITING_PAYMENT' })).toBe('Pay the seller within')
  expect(text({ state: 'COMPLETED', role: 'SELLER', kind: 'AUTOMATIC' })).toBe(
    'Completed. You’ve received the payment.',
  )
  expect(text({ state: 'REFUNDING', kind: 'AUTOMATIC' })).toBe('Returning the escrowed coins to you')
  const step = { ...about, appeal: null, role: 'BUYER', kind: 'MANUAL', advertiser: false } as const
  expect(stepLabel('SELLER_DEPOSITED', step).message).toBe('NFT in escrow')
  expect(stepLabel('SELLER_RECEIVED', { ...step, kind: 'AUTOMATIC' }).message).toBe('Both deposits in escrow')
})

test('a frozen order asks for no action and shows no countdown', () => {
  for (const state of ['AWAITING_PAYMENT', 'AWAITING_CONFIRMATION'] as const) {
    const task = orderTask(order({ state, overlay: 'FROZEN' }))
    expect([task.text.message, task.clock]).toEqual(['Order frozen. All timers are paused.', false])
  }
})

test('a payment or deposit that has arrived is neither requested again nor overdue', () => {
  for (const role of ['BUYER', 'SELLER'] as const) {
    for (const state of ['AWAITING_DEPOSIT', 'AWAITING_PAYMENT'] as const) {
      const task = orderTask(order({ role, state, kind: 'AUTOMATIC', covered: true }))
      expect(task.text.message).toContain('arrived and is being confirmed on-chain.')
      expect([task.late, task.clock]).toEqual([undefined, false])
    }
  }
  expect(stateLabel({ state: 'AWAITING_PAYMENT', covered: true }).text.message).toBe('Confirming on-chain')
})

test('a buyer whose payment was detected on-chain is asked to mark it as paid, not to pay again', () => {
  const paymentSeen = {
    chainId: 1,
    index: 0,
    hash: '0x1',
    from: '0x2',
    amount: '2',
    confirmations: { seen: 1, needed: 3 },
    sender: 'BOUND',
    ambiguous: false,
    reported: false,
  } as const
  const task = orderTask(order({ paymentSeen }))
  expect(task.text.message).toBe('Your payment was detected on-chain. Tap “I have paid”.')
  expect([task.late, task.clock]).toEqual([undefined, false])
  expect(orderTask(order({ paymentSeen, state: 'AWAITING_CONFIRMATION' })).late?.message).toContain('overdue')
  // A transfer that may be another buyer's payment does not stop the clock.
  const ambiguous = { ...paymentSeen, sender: 'UNKNOWN', ambiguous: true } as const
  expect(orderTask(order({ paymentSeen: ambiguous }))).toEqual(orderTask(order({})))
})

test('the steps of an automatic order do not say that anybody confirmed a payment, or paid what the ad had escrowed', () => {
  const label = (step: 'BUYER_PAID' | 'SELLER_RECEIVED', role: 'BUYER' | 'SELLER', advertiser: boolean) =>
    stepLabel(step, { ...order({ kind: 'AUTOMATIC', role, advertiser }), appeal: null }).message
  for (const role of ['BUYER', 'SELLER'] as const) {
    expect(label('BUYER_PAID', role, role === 'BUYER')).toBe('Payment in escrow')
    expect(label('SELLER_RECEIVED', role, role === 'BUYER')).toBe('Both deposits in escrow')
  }
  expect(label('BUYER_PAID', 'BUYER', false)).toBe('You paid')
  expect(label('BUYER_PAID', 'SELLER', true)).toBe('Buyer paid')
})
