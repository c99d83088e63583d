import { expect, test } from 'vitest'
import type { Pair } from '@/api/types'
import { createAdvertBody, type Draft, draftFaults } from './draft'

const pair: Pair = {
  base: 'MEC',
  quote: 'USD',
  on: true,
  priceDecimals: 4,
  priceMin: '0.4',
  priceMax: '0.6',
  orderMin: '10',
  orderMax: '50000',
  feeRate: '0.001',
  feeMinimum: '0.01',
  automatic: false,
  automaticChainType: null,
  windowMinutes: 30,
  windowMinutesMin: 10,
  windowMinutesMax: 60,
  chainTypes: [],
  methodTypes: ['bankCard'],
  lastPrice: '0.5',
}
const good: Draft = {
  base: 'MEC',
  quote: 'USD',
  kind: 'MANUAL',
  price: '0.5',
  quantity: '1000',
  orderMin: '10',
  orderMax: '500',
  methodIds: ['m1'],
  remark: 'Fast and friendly.',
}

test('a complete draft has no faults', () => {
  expect(draftFaults(good, pair, 2)).toEqual({})
})

test.each<[string, Partial<Draft>, object]>([
  ['no price', { price: '' }, { price: { why: 'missing' } }],
  ['price too low', { price: '0.39' }, { price: { why: 'below', bound: '0.4' } }],
  ['price too high', { price: '0.61' }, { price: { why: 'above', bound: '0.6' } }],
  ['quantity zero', { quantity: '0' }, { quantity: { why: 'missing' } }],
  ['minimum below the pair’s minimum', { orderMin: '9.99' }, { orderMin: { why: 'below', bound: '10' } }],
  ['maximum above the total', { orderMax: '500.01' }, { orderMax: { why: 'above', bound: '500' } }],
  ['minimum above maximum', { orderMin: '300', orderMax: '200' }, { orderMax: { why: 'minAboveMax' } }],
  ['no payment method', { methodIds: [] }, { methods: { why: 'missing' } }],
])('%s', (_, change, expected) => {
  expect(draftFaults({ ...good, ...change }, pair, 2)).toMatchObject(expected)
})

test('a pair without a price band and payment methods requires neither', () => {
  const free = { ...pair, priceMin: null, priceMax: null, orderMax: '100000', methodTypes: [] }
  expect(draftFaults({ ...good, price: '99', orderMax: '99000', methodIds: [] }, free, 2)).toEqual({})
})

test('the request body omits what the pair does not accept', () => {
  expect(createAdvertBody(good, pair)).toMatchObject({
    side: 'SELL',
    paymentMethodIds: ['m1'],
    remark: 'Fast and friendly.',
  })
  const body = createAdvertBody({ ...good, remark: '  ' }, { ...pair, methodTypes: [] })
  expect(body).not.toHaveProperty('paymentMethodIds')
  expect(body).not.toHaveProperty('remark')
})
