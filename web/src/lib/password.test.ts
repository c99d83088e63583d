import { expect, test } from 'vitest'
import { isStrongPassword } from './password'

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
