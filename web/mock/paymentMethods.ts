import type { MethodField, MethodForm, PaymentMethod } from '../src/api/types.ts'
import { qrCode } from './files.ts'
import type { Handlers } from './operation.ts'

function formField(name: string, more: Partial<MethodField> = {}): MethodField {
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

const forms: MethodForm[] = [
  {
    type: 'bankCard',
    currencies: ['USD', 'EUR', 'VND', 'CNY', 'KRW', 'ARS'],
    fields: [
      formField('name'),
      formField('account'),
      formField('bankName'),
      formField('branch', { required: false }),
      formField('iban', {
        required: false,
        kind: 'iban',
        pattern: '[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}',
        example: 'DE89 3704 0044 0532 0130 00',
        currencies: ['EUR'],
      }),
      formField('qrCode', { required: false, kind: 'picture' }),
    ],
  },
  {
    type: 'alipay',
    currencies: ['CNY', 'USD'],
    fields: [
      formField('name'),
      formField('account'),
      formField('qrCode', { required: false, kind: 'picture' }),
    ],
  },
  { type: 'wechat', currencies: ['CNY'], fields: [formField('name'), formField('account')] },
  {
    type: 'toss',
    currencies: ['KRW'],
    fields: [
      formField('name'),
      formField('phone', {
        maxLength: 20,
        kind: 'phone',
        pattern: '([+]?82|0)1[0-9]{8,9}',
        example: '010-1234-5678',
      }),
    ],
  },
]

export const bankCard: PaymentMethod = {
  id: 'm-1',
  type: 'bankCard',
  currency: 'USD',
  fields: { name: 'Maria Gonzalez', account: '6222020000001234', bankName: 'First Harbor Bank' },
  pictures: {},
  inUse: true,
}

const methods: PaymentMethod[] = [
  bankCard,
  {
    id: 'm-2',
    type: 'alipay',
    currency: 'CNY',
    fields: { name: 'Maria Gonzalez', account: 'maria@example.com', qrCode: 'f-qr' },
    pictures: { qrCode: qrCode('f-qr') },
    inUse: false,
  },
]

export const handlers: Handlers = {
  'GET /payment/method/forms': () => forms,
  'GET /payment/method/list': () => methods,
  'GET /payment/method/{id}': ({ path, refuse }) =>
    methods.find((one) => one.id === path.id) ?? refuse('5025'),
  'POST /payment/method': () => bankCard,
  'POST /payment/method/{id}': () => bankCard,
  'POST /payment/method/delete/{id}': () => null,
}
