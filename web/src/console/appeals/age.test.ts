import { expect, test } from 'vitest'
import { ageParts, dueState } from './age'

test('an age has whole days, hours and minutes, and none before its beginning', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  expect(ageParts('2026-11-22T09:30:30Z', now)).toEqual({ days: 1, hours: 2, minutes: 29 })
  expect(ageParts('2026-11-23T11:59:30Z', now)).toEqual({ days: 0, hours: 0, minutes: 0 })
  expect(ageParts('2026-11-24T00:00:00Z', now)).toEqual({ days: 0, hours: 0, minutes: 0 })
})

test('a due time is later, soon or over', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  expect(dueState('2026-11-23T16:00:01Z', now)).toBe('later')
  expect(dueState('2026-11-23T16:00:00Z', now)).toBe('soon')
  expect(dueState('2026-11-23T12:00:01Z', now)).toBe('soon')
  expect(dueState('2026-11-23T12:00:00Z', now)).toBe('over')
})
