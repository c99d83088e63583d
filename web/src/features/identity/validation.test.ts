import { expect, test } from 'vitest'
import { isEmail, isStrongPassword } from './validation'

test.each([
  ['Abcdef1!', true],
  ['Abcde1!', false],
  ['abcdef1!', false],
  ['ABCDEF1!', false],
  ['Abcdefg!', false],
  ['Abcdefg1', false],
  [`Aa1!${'x'.repeat(28)}`, true],
  [`Aa1!${'x'.repeat(29)}`, false],
  ['Abcdef1 ', false],
])('password %s: %s', (password, strong) => {
  expect(isStrongPassword(password)).toBe(strong)
})

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
