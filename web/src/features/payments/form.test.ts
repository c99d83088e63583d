import { expect, test } from 'vitest'
import type { MethodForm } from '@/api/types'
import { fieldFaults, fieldsOf, formsFor } from './form'

const bank: MethodForm = {
  type: 'bankCard',
  currencies: ['USD'],
  fields: [
    { name: 'name', required: true, maxLength: 10, kind: 'text', secret: false },
    { name: 'account', required: true, maxLength: 100, kind: 'text', secret: false },
    { name: 'branch', required: false, maxLength: 100, kind: 'text', secret: false },
  ],
}

test('only forms of the currency are offered', () => {
  expect(formsFor([bank], 'USD')).toEqual([bank])
  expect(formsFor([bank], 'EUR')).toEqual([])
})

test('required fields, length and characters', () => {
  expect(fieldFaults(bank, { name: 'María', account: '6222 0200' })).toEqual({})
  expect(fieldFaults(bank, { name: '  ', account: '' })).toEqual({ name: 'missing', account: 'missing' })
  expect(fieldFaults(bank, { name: 'x'.repeat(11), account: 'a\nb' })).toEqual({
    name: 'tooLong',
    account: 'characters',
  })
})

test('what another form left behind is not sent, nor are blanks', () => {
  expect(fieldsOf(bank, { name: ' María ', account: '1', branch: ' ', iban: 'XX' })).toEqual({
    name: 'María',
    account: '1',
  })
})
