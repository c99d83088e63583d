import { expect, test } from 'vitest'
import { groupFours, shorten } from './text'

test('addresses show their first and last eight characters', () => {
  expect(shorten('0x55d398326f99059fF775485246999027B3197955')).toBe('0x55d398…B3197955')
  expect(shorten('1234567890123456')).toBe('1234567890123456')
})

test('account numbers are grouped in fours, and other text is not', () => {
  expect(groupFours('6222020000001234')).toBe('6222 0200 0000 1234')
  expect(groupFours('maria@bank')).toBe('maria@bank')
})
