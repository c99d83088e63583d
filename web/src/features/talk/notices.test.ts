import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { noticeText } from './notices'

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
  const other = noticeText({ notice: null, author: null })
  const without = known.filter((notice) => noticeText({ notice, author: null }) === other)
  expect(without).toEqual([])
})

test('a transition by a party says so', () => {
  const texts = (notice: string) =>
    ([null, 'BUYER'] as const).map((author) => noticeText({ notice, author }).message)
  expect(texts('ORDER_PAID')).toEqual(['The payment arrived on-chain', 'The buyer marked the order as paid'])
  expect(texts('UNKNOWN')).toEqual(['The order was updated', 'The order was updated'])
})
