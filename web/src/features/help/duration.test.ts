import { expect, test } from 'vitest'
import { duration } from './duration'

test('a duration is rounded up to minutes, or to tenths of an hour', () => {
  expect(duration('en', 0)).toBe('0 minutes')
  expect(duration('en', 1)).toBe('1 minute')
  expect(duration('en', 59 * 60 + 1)).toBe('1 hour')
  expect(duration('en', 15_300)).toBe('4.3 hours')
  expect(duration('zh-CN', 70_200)).toBe('19.5小时')
})
