import { expect, test } from 'vitest'
import { amountProblem, maxOrderTotal, orderAmounts, type Terms } from './orderAmounts'

const terms: Terms = {
  price: '0.5',
  remaining: '100',
  orderMin: '10',
  orderMax: '200',
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

test('the maximum is the order limit or the remaining amount, whichever is less', () => {
  expect(maxOrderTotal(terms)).toBe('50')
  expect(maxOrderTotal({ ...terms, orderMax: '20' })).toBe('20')
})

test.each([
  ['0', 'zero'],
  ['9.9', 'below'],
  ['10', null],
  ['50', null],
  ['50.02', 'remaining'],
] as const)('%s USD: %s', (typed, problem) => {
  const deal = orderAmounts(typed, 'money', terms)
  expect(deal === null ? 'none' : amountProblem(deal, terms)).toBe(problem)
})

test('an amount above the order limit is a problem', () => {
  const above = orderAmounts('20.02', 'money', { ...terms, orderMax: '20' })
  expect(above && amountProblem(above, { ...terms, orderMax: '20' })).toBe('above')
})
