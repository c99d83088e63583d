import { expect, test } from 'vitest'
import type { TalkEntry } from '@/api/types'
import { byDay, daysAgo } from './days'

const at = (day: number, hour: number) => new Date(2026, 0, day, hour).toISOString()
const entry = (number: number, iso: string): TalkEntry => ({
  number,
  kind: 'MESSAGE',
  author: 'BUYER',
  officer: null,
  text: 'x',
  files: [],
  warnings: [],
  automatic: false,
  notice: null,
  state: null,
  version: null,
  at: iso,
  hash: '',
})

test('entries are grouped by the days of this device', () => {
  const days = byDay([entry(1, at(1, 23)), entry(2, at(2, 0)), entry(3, at(2, 12)), entry(4, at(4, 1))])
  expect(days.map((day) => day.entries.map(({ number }) => number))).toEqual([[1], [2, 3], [4]])
  expect(new Set(days.map(({ key }) => key)).size).toBe(3)
  // Earlier entries of the same day do not rename it.
  expect(byDay([entry(2, at(2, 0))])[0]?.key).toBe(byDay([entry(3, at(2, 12))])[0]?.key)
  expect(byDay([])).toEqual([])
})

test('days are counted by the calendar', () => {
  const now = new Date(2026, 0, 2, 0, 30).getTime()
  expect(daysAgo(at(2, 0), now)).toBe(0)
  expect(daysAgo(at(1, 23), now)).toBe(1)
  expect(daysAgo(at(1, 0), now)).toBe(1)
})
