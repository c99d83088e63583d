import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { noticeText } from './labels'
import { offered } from './offered'
import type { AllowedRuling } from './types'

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
  const other = noticeText(null, null)
  expect(known.filter((notice) => noticeText(notice, null) === other)).toEqual([])
})

test('what a party did is not said of the platform', () => {
  expect(noticeText('APPEAL_FILED', null).message).toBe('MEC2C filed an appeal')
  expect(noticeText('APPEAL_FILED', 'SELLER').message).toBe('Appeal filed')
})

test('decisions are offered unless the status makes them meaningless', () => {
  const option = (ruling: AllowedRuling['ruling'], refusal: AllowedRuling['refusal']): AllowedRuling => ({
    ruling,
    refusal,
    allowed: refusal === null,
    outcome: null,
    movements: [],
    charged: null,
    isProposed: false,
  })
  const all = [option('BUYER', 'SHORT'), option('SELLER', null), option('REOPEN', 'NOT_DECIDED')]
  expect(offered(all).map((one) => one.ruling)).toEqual(['BUYER', 'SELLER'])
  expect(offered([option('BUYER', 'DECIDED'), option('REOPEN', null)]).map((one) => one.ruling)).toEqual([
    'REOPEN',
  ])
})
