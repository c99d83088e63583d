import { expect, test } from 'vitest'
import { STATE_WORDS, taskOf } from './words'

test('every state has a sentence for each side', () => {
  for (const state of Object.keys(STATE_WORDS) as (keyof typeof STATE_WORDS)[]) {
    for (const role of ['BUYER', 'SELLER'] as const) {
      for (const kind of ['MANUAL', 'AUTOMATIC'] as const) {
        expect(
          taskOf({ state, role, kind, advertiser: false }).text.message,
          `${state} ${role} ${kind}`,
        ).toBeTruthy()
      }
    }
  }
})

test('who accepts is who advertised, whichever side that is', () => {
  const sentence = (role: 'BUYER' | 'SELLER', advertiser: boolean) =>
    taskOf({ state: 'AWAITING_ACCEPTANCE', role, kind: 'MANUAL', advertiser }).text.message
  expect(sentence('SELLER', true)).toBe('Accept or reject within')
  expect(sentence('BUYER', true)).toBe('Accept or reject within')
  expect(sentence('BUYER', false)).toBe('Waiting for the other side to accept')
})

test('nobody is told to pay the seller when only the chain decides', () => {
  expect(
    taskOf({ state: 'AWAITING_PAYMENT', role: 'BUYER', kind: 'AUTOMATIC', advertiser: false }).text.message,
  ).toBe('Send the payment within')
})
