import { expect, test } from 'vitest'
import { changedSettings, settingOf, unitOf } from './pairSettings'
import type { Pair } from './types'

const pair: Pair = {
  id: 1,
  base: 'MEC',
  quote: 'KRW',
  settings: [
    { name: 'fee_rate', value: '0.001' },
    { name: 'payment_window', value: '30' },
    { name: 'trading', value: 'on' },
  ],
  version: 'v',
  referencePrice: null,
  referenceSetBy: null,
  referenceSetAt: null,
  referenceVersion: 'r',
}

test('only settings with another value are changes', () => {
  expect(changedSettings(pair, { fee_rate: ' 0.001 ', payment_window: '30', trading: 'on' })).toEqual([])
  expect(changedSettings(pair, { fee_rate: '0.002', payment_window: '' })).toEqual([
    { name: 'fee_rate', before: '0.001', after: '0.002' },
    { name: 'payment_window', before: '30', after: '' },
  ])
})

test('settings are found by name and have the units of the pair', () => {
  expect(settingOf(pair, 'trading')).toBe('on')
  expect(settingOf(pair, 'unknown')).toBe('')
  expect(
    ['fee_rate', 'fee_minimum', 'order_minimum', 'order_deposit_window', 'grace_period'].map((name) =>
      unitOf(name, pair, 'min'),
    ),
  ).toEqual([undefined, 'MEC', 'KRW', 'min', 'min'])
})
