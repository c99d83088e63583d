import { expect, test } from 'vitest'
import type { MethodField, MethodForm } from '@/api/types'
import { fieldFaults, fieldsFor, fieldsOf, firstCurrency, formsFor } from './form'

function field(name: string, more: Partial<MethodField> = {}): MethodField {
  return {
    name,
    required: true,
    maxLength: 100,
    kind: 'text',
    secret: false,
    pattern: null,
    example: null,
    currencies: null,
    ...more,
  }
}

const bank: MethodForm = {
  type: 'bankCard',
  currencies: ['USD', 'KRW', 'TRY'],
  fields: [
    field('name', { maxLength: 10 }),
    field('account'),
    field('branch', { required: false }),
    field('iban', {
      required: false,
      kind: 'iban',
      pattern: '[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}',
      currencies: ['TRY'],
    }),
  ],
}

test('only the forms of the currency are offered', () => {
  expect(formsFor([bank], 'USD')).toEqual([bank])
  expect(formsFor([bank], 'EUR')).toEqual([])
})

test('a field is shown only for the currencies that have it', () => {
  const names = (currency: string) => fieldsFor(bank, currency).map((one) => one.name)
  expect(names('KRW')).toEqual(['name', 'account', 'branch'])
  expect(names('TRY')).toEqual(['name', 'account', 'branch', 'iban'])
})

test('missing, too long and invalid values are faults', () => {
  expect(fieldFaults(bank, 'USD', { name: 'María', account: '6222 0200' })).toEqual({})
  expect(fieldFaults(bank, 'USD', { name: '  ', account: '' })).toEqual({
    name: 'missing',
    account: 'missing',
  })
  expect(fieldFaults(bank, 'USD', { name: 'x'.repeat(11), account: 'a\nb' })).toEqual({
    name: 'tooLong',
    account: 'characters',
  })
})

test('a value must match the pattern of its field, however its digits are grouped', () => {
  const form = (one: MethodField): MethodForm => ({ type: 'x', currencies: ['USD'], fields: [one] })
  const faults = (one: MethodField, value: string) =>
    fieldFaults(form(one), 'USD', { [one.name]: value })[one.name]
  const phone = field('phone', { kind: 'phone', pattern: '([+]?82|0)1[0-9]{8,9}' })
  expect(faults(phone, '010-1234-5678')).toBeUndefined()
  expect(faults(phone, '+82 (10) 1234 5678')).toBeUndefined()
  expect(faults(phone, '12345')).toBe('form')
  const iban = field('iban', { kind: 'iban', pattern: '[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}' })
  expect(faults(iban, 'de89 3704 0044 0532 0130 00')).toBeUndefined()
  expect(faults(iban, '6222 0200')).toBe('form')
  expect(faults(field('upiId', { pattern: '[a-z]+@[a-z]+' }), 'a@b c')).toBe('form')
})

test('values of other forms and blank values are not sent', () => {
  const typed = { name: ' María ', account: '1', branch: ' ', iban: 'XX', other: 'x' }
  expect(fieldsOf(bank, 'KRW', typed)).toEqual({ name: 'María', account: '1' })
})

test('the requested currency comes first, then the user’s own', () => {
  const all = ['ARS', 'KRW', 'USD']
  expect(firstCurrency(all, ['USD', 'KRW'])).toBe('USD')
  expect(firstCurrency(all, ['', 'KRW'])).toBe('KRW')
  expect(firstCurrency(all, ['XXX', undefined])).toBe('ARS')
  expect(firstCurrency([], ['KRW'])).toBe('')
})
