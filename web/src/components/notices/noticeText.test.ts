import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { noticeText } from './noticeText'

/** The notices about orders, from the page that a test of the server keeps complete. */
function notices(): string[] {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/realtime.md'), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| (?:orders|either) \|/.test(line))
  const names = rows.flatMap((row) => Array.from(row.matchAll(/`(\w+)`/g), (match) => match[1] ?? ''))
  return names.map((name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase())
}

test('every notice about orders has a text of its own', () => {
  const known = notices()
  expect(known.length).toBeGreaterThan(15)
  const other = noticeText({ notice: null, author: null }, 'BUYER')
  const without = known.filter((notice) => noticeText({ notice, author: null }, 'BUYER') === other)
  expect(without).toEqual([])
})

test('a transition by a party says who it was, and each party is addressed', () => {
  const text = (notice: string, author: 'BUYER' | 'SELLER' | null, reader: 'BUYER' | 'SELLER') =>
    noticeText({ notice, author }, reader).message
  expect(text('ORDER_PAID', null, 'SELLER')).toBe('The payment arrived on-chain')
  expect(text('ORDER_PAID', 'BUYER', 'SELLER')).toBe('The buyer marked the order as paid')
  expect(text('ORDER_PAID', 'BUYER', 'BUYER')).toBe('You marked the order as paid')
  expect(text('ORDER_CANCELLED', 'SELLER', 'BUYER')).toBe('The seller cancelled the order')
  expect(text('ORDER_CANCELLED', null, 'BUYER')).toBe('The order was cancelled')
  expect(text('CANCEL_ASKED', 'SELLER', 'BUYER')).toBe('The seller asked you to cancel the order')
  expect(text('UNKNOWN', 'BUYER', 'BUYER')).toBe('The order was updated')
})

test('only the buyer is told not to pay', () => {
  for (const notice of ['APPEAL_FILED', 'ORDER_FROZEN']) {
    for (const author of [null, 'BUYER', 'SELLER'] as const) {
      expect(noticeText({ notice, author }, 'SELLER').message, notice).not.toMatch(/don’t pay/i)
    }
    expect(noticeText({ notice, author: null }, 'BUYER').message, notice).toMatch(/don’t pay/i)
  }
})
