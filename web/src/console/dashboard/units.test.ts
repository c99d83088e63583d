import { expect, test } from 'vitest'
import { fromUnits } from './units'

test('base units become decimals without losing a digit', () => {
  expect(fromUnits('0', 18)).toBe('0')
  expect(fromUnits('1', 18)).toBe('0.000000000000000001')
  expect(fromUnits('4500000000000000000', 18)).toBe('4.5')
  expect(fromUnits('99999999999999999999999999999999999999', 6)).toBe(
    '99999999999999999999999999999999.999999',
  )
  expect(fromUnits('-500', 6)).toBe('-0.0005')
  expect(fromUnits('-12000000', 6)).toBe('-12')
  expect(fromUnits('34000', 0)).toBe('34000')
})
