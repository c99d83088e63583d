import { expect, test } from 'vitest'
import { fittedSize } from './picture'

test('a small picture keeps its size', () => {
  expect(fittedSize({ width: 1080, height: 2400 })).toEqual({ width: 1080, height: 2400 })
  expect(fittedSize({ width: 1, height: 1 })).toEqual({ width: 1, height: 1 })
})

test('a large picture is shrunk in proportion', () => {
  expect(fittedSize({ width: 4000, height: 3000 })).toEqual({ width: 2560, height: 1920 })
  const { width, height } = fittedSize({ width: 2500, height: 2500 })
  expect(width).toBe(height)
  expect(width * height).toBeLessThanOrEqual(5_000_000)
})

test('a very long picture has at least one pixel on each side', () => {
  expect(fittedSize({ width: 100_000, height: 3 })).toEqual({ width: 2560, height: 1 })
})
