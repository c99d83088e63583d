import { expect, test } from 'vitest'
import { ageParts } from './age'

test('an age has whole days, hours and minutes, and none before its beginning', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  expect(ageParts('2026-11-22T09:30:30Z', now)).toEqual({ days: 1, hours: 2, minutes: 29 })
  expect(ageParts('2026-11-23T11:59:30Z', now)).toEqual({ days: 0, hours: 0, minutes: 0 })
  expect(ageParts('2026-11-24T00:00:00Z', now)).toEqual({ days: 0, hours: 0, minutes: 0 })
})
