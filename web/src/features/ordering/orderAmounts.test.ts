import { expect, test } from 'vitest'
import { orderAmounts, type Terms } from './orderAmounts'

const terms: Terms = {
  price: '0.5',
  baseScale: 8,
  quoteScale: 2,
}

test('an amount of money becomes a quantity that costs exactly that amount', () => {
  expect(orderAmounts('20', 'money', terms)).toEqual({ quantity: '40', money: '20' })
  expect(orderAmounts('10', 'money', { ...terms, price: '0.3' })).toMatchObject({
    quantity: '33.33333334',
    money: '10',
  })
})

test('a quantity is kept as typed', () => {
  expect(orderAmounts('1', 'quantity', terms)).toEqual({ quantity: '1', money: '0.5' })
})

test('empty or incomplete input gives no amounts', () => {
  expect(orderAmounts('', 'money', terms)).toBeNull()
  expect(orderAmounts('1.', 'quantity', terms)).toBeNull()
})
