import { expect, test } from 'vitest'
import { effectLabel, recordTitle, signedAmount } from './labels'

test('a release is titled as sent for the seller and as received for the buyer', () => {
  expect(recordTitle({ type: 'RELEASE', direction: 'OUT' }).message).toBe('Released to the buyer')
  expect(recordTitle({ type: 'RELEASE', direction: 'DIRECT' }).message).toBe('Received from the seller')
  expect(recordTitle({ type: 'PAYMENT', direction: 'OUT' }).message).toBe('Paid to the seller')
  expect(recordTitle({ type: 'PAYMENT', direction: 'DIRECT' }).message).toBe('Payment from the buyer')
})

test.each([
  ['a completed release', 'OUT', 'COMPLETED', '-62.4424', { sign: '−', value: '62.4424' }],
  ['a deposit', 'IN', 'COMPLETED', '62.38', { sign: '+', value: '62.38' }],
  ['an unconfirmed deposit', 'IN', 'CONFIRMING', '0', { sign: '+', value: '62.38' }],
  ['a reversed deposit', 'IN', 'REVOKED', '0', { sign: '', value: '62.38' }],
  ['a completed direct transfer', 'DIRECT', 'COMPLETED', '0', { sign: '', value: '62.38' }],
  ['an unconfirmed direct transfer', 'DIRECT', 'CONFIRMING', '0', { sign: '', value: '62.38' }],
] as const)('%s has a sign only if the balance changes', (_, direction, state, effect, shown) => {
  expect(signedAmount({ amount: '62.38', direction, state, effect })).toEqual(shown)
})

test('a record that did not change the balance says so', () => {
  const said = (
    direction: 'IN' | 'OUT' | 'DIRECT',
    state: 'CONFIRMING' | 'COMPLETED' | 'REVOKED',
    effect: string,
  ) => effectLabel({ type: 'DEPOSIT', direction, state, effect, redirected: false }).message
  expect(said('DIRECT', 'COMPLETED', '0')).toBe('Sent directly to your own address')
  expect(said('IN', 'CONFIRMING', '0')).toBe('Not in your balance yet')
  expect(said('IN', 'REVOKED', '0')).toBe('No change to your balance')
  expect(said('IN', 'COMPLETED', '5')).toBe('Added to your balance')
})

test('a payout rejected by the user’s address says that it stayed in the balance', () => {
  for (const [type, direction, effect] of [
    ['RELEASE', 'DIRECT', '0'],
    ['REFUND', 'OUT', '-62.38'],
  ] as const) {
    const said = effectLabel({ type, direction, state: 'COMPLETED', effect, redirected: true }).message
    expect(said).toBe('Kept in your balance because your address rejected the transfer')
  }
})
