import { expect, test } from 'vitest'
import { methodAdvice } from './methodAdvice'

test('sellers and buyers get different advice for every kind of method', () => {
  const kinds = ['zelle', 'bankCard', 'other', 'pix']
  const texts = kinds.flatMap((kind) => [
    methodAdvice(kind, 'SELLER').message,
    methodAdvice(kind, 'BUYER').message,
  ])
  expect(new Set(texts).size).toBe(texts.length)
})

test('a method that is added later gets the advice for instant payments', () => {
  expect(methodAdvice('newWallet', 'SELLER')).toEqual(methodAdvice('pix', 'SELLER'))
})
