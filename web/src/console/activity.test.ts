import { expect, test } from 'vitest'
import { isIdle, noteActivity } from './activity'

test('an officer is idle after five minutes, and returns with the next key', () => {
  noteActivity(1_000_000)
  expect(isIdle(1_000_000 + 300_000)).toBe(false)
  expect(isIdle(1_000_000 + 300_001)).toBe(true)
  expect(noteActivity(1_000_000 + 300_001)).toBe(true)
  expect(noteActivity(1_000_000 + 300_002)).toBe(false)
})
