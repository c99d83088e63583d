import { expect, test } from 'vitest'
import { GROUP, group, positionAfter, significantBefore, ungroup } from './grouping'

test.each([
  ['', ''],
  ['999', '999'],
  ['1000', `1${GROUP}000`],
  ['1234567.89012345', `1${GROUP}234${GROUP}567.89012345`],
  ['100000.', `100${GROUP}000.`],
])('%s is shown as %s', (value, shown) => {
  expect(group(value)).toBe(shown)
})

test.each([
  ['1,385.84', '1385.84'],
  ['1.385,84', '1385.84'],
  ['1,000,000', '1000000'],
  ['1.000.000', '1000000'],
  // The comma may be the decimal separator.
  ['1,385', '1,385'],
  ['12,5', '12,5'],
  ['1.5,', '1.5,'],
])('a pasted %s means %s', (pasted, meant) => {
  expect(ungroup(pasted)).toBe(meant)
})

test('the caret keeps its place among the digits', () => {
  const shown = group('1234567')
  expect(significantBefore(shown, 5)).toBe(4)
  expect(positionAfter(shown, 4)).toBe(5)
  expect(positionAfter(shown, 7)).toBe(shown.length)
  expect(positionAfter(shown, 1)).toBe(1)
})
