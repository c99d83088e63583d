import { describe, expect, test } from 'vitest'
import { abbreviate, cleanAmount, format } from './decimal'
import { add, compare, parse, quantityFor, subtract, total, truncate } from './money'

describe('amounts', () => {
  test.each([
    ['1.123456789', 8, '1.12345678'],
    ['0.000000019', 8, '0.00000001'],
    ['99999999999999999999999999.999999999', 8, '99999999999999999999999999.99999999'],
    ['-1.999', 2, '-1.99'],
    ['100', 2, '100'],
  ])('%s cut to %i decimals is %s', (value, decimals, cut) => {
    expect(truncate(value, decimals)).toBe(cut)
  })

  test('an incomplete number is not a number', () => {
    for (const typed of ['', '.', '1.', '1e5', ' 1', '--1', 'NaN']) expect(parse(typed)).toBeNull()
  })

  test('a total rounds down, and a typed amount of money is the amount paid', () => {
    expect(total('3', '0.333333', 2)).toBe('0.99')
    for (const [money, price] of [
      ['10', '3'],
      ['48', '0.4821'],
      ['0.01', '12250'],
    ] as const) {
      expect(total(quantityFor(money, price, 8) ?? '', price, 2)).toBe(money)
    }
    expect(quantityFor('10', '0', 8)).toBeNull()
  })

  test('sums and comparisons stay exact', () => {
    expect(add('0.1', '0.2')).toBe('0.3')
    expect(subtract('1', '0.00000001')).toBe('0.99999999')
    expect(compare('10.0', '10')).toBe(0)
    expect(compare('x', '1')).toBeNull()
  })
})

describe('formatting', () => {
  test('keeps every digit of a long amount', () => {
    expect(format('12345678901234567890.12345678', 'en')).toBe('12,345,678,901,234,567,890.12345678')
  })
  test('truncates instead of rounding', () => {
    expect(format('1.999', 'en', 2)).toBe('1.99')
  })
  test('uses K, M, B in every language', () => {
    expect(abbreviate('999', 'en')).toBe('999')
    expect(abbreviate('12412345', 'zh-CN')).toBe('12.41M')
    expect(abbreviate('1999', 'en')).toBe('1.99K')
    expect(abbreviate('3000000000', 'en')).toBe('3B')
  })
})

describe('typing an amount', () => {
  test.each([
    ['99999.1234567899', '99999.12345678'],
    ['007', '7'],
    ['0.5', '0.5'],
    ['.5', '0.5'],
    ['1,5', '1.5'],
    ['1.2.3', '1.23'],
    ['12abc', '12'],
    ['1234567890', '12345678'],
    ['', ''],
  ])('%s becomes %s', (typed, kept) => {
    expect(cleanAmount(typed)).toBe(kept)
  })
})
