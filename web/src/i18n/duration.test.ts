import { expect, test } from 'vitest'
import { duration, wait } from './duration'

test('a duration is rounded up to minutes, or to tenths of an hour', () => {
  expect(duration('en', 0)).toBe('0 minutes')
  expect(duration('en', 1)).toBe('1 minute')
  expect(duration('en', 59 * 60 + 1)).toBe('1 hour')
  expect(duration('en', 15_300)).toBe('4.3 hours')
  expect(duration('zh-CN', 70_200)).toBe('19.5 小时')
})

test('a wait is said in the units of people, rounded up', () => {
  expect(wait('en', 0.2)).toBe('1 second')
  expect(wait('en', 59)).toBe('59 seconds')
  expect(wait('en', 61)).toBe('2 minutes')
  expect(wait('en', 3_599)).toBe('1 hour')
  expect(wait('en', 40_000)).toBe('11 hours 7 minutes')
  expect(wait('zh-CN', 40)).toBe('40 秒')
  expect(wait('zh-CN', 40_000)).toBe('11 小时 7 分钟')
})
