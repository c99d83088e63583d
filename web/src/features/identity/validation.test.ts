import { expect, test } from 'vitest'
import { isEmail } from './validation'

test.each([
  ['maria@example.com', true],
  ['m@a.b.co', true],
  ['maria@example', false],
  ['maria example@a.com', false],
  ['@a.com', false],
  ['a@b@c.com', false],
  [`${'a'.repeat(250)}@a.com`, false],
])('email %s: %s', (text, good) => {
  expect(isEmail(text)).toBe(good)
})
