import { expect, test } from 'vitest'
import { fromLocalInput, toLocalInput } from './localTime'

test('a time survives the input, to the minute', () => {
  const at = Date.parse('2026-03-29T09:07:00Z')
  expect(fromLocalInput(toLocalInput(at))).toBe('2026-03-29T09:07:00.000Z')
  expect(toLocalInput(at)).toMatch(/^2026-03-29T\d\d:07$/)
})

test('an empty or broken input is no time', () => {
  expect(fromLocalInput('')).toBeNull()
  expect(fromLocalInput('tomorrow')).toBeNull()
})
