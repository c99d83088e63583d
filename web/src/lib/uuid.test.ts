import { expect, test } from 'vitest'
import { uuid } from './uuid'

test('returns a different version 4 UUID each time', () => {
  const made = new Set(Array.from({ length: 200 }, uuid))
  expect(made.size).toBe(200)
  for (const one of made)
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
