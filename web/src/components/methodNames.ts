import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

/** The names by type of payment method. Brands keep their spelling in every language. */
const NAMES: Record<string, MessageDescriptor> = {
  USDT: msg`USDT address`,
  bankCard: msg`Bank card`,
  bankTransfer: msg`Bank transfer`,
  alipay: msg`Alipay`,
  wechat: msg`WeChat`,
  visaDirect: msg`VISA Direct`,
  sepa: msg`SEPA transfer`,
  pix: msg`Pix`,
  promptPay: msg`PromptPay`,
  momo: msg`MoMo`,
  kakaoPay: msg`KakaoPay`,
  papara: msg`Papara`,
  upi: msg`UPI`,
  paytm: msg`Paytm`,
  phonePe: msg`PhonePe`,
  gcash: msg`GCash`,
  maya: msg`Maya`,
  dana: msg`DANA`,
  ovo: msg`OVO`,
  gopay: msg`GoPay`,
  shopeePay: msg`ShopeePay`,
  trueMoney: msg`TrueMoney`,
  sbp: msg`SBP (Faster Payments)`,
  yooMoney: msg`YooMoney`,
  toss: msg`Toss`,
  linePay: msg`LINE Pay`,
  jkoPay: msg`JKOPAY`,
  zaloPay: msg`ZaloPay`,
  viettelMoney: msg`Viettel Money`,
  opay: msg`OPay`,
  palmPay: msg`PalmPay`,
  mercadoPago: msg`Mercado Pago`,
  payPay: msg`PayPay`,
  fps: msg`FPS`,
  payNow: msg`PayNow`,
  duitNow: msg`DuitNow`,
  touchNGo: msg`Touch ’n Go`,
  bkash: msg`bKash`,
  nagad: msg`Nagad`,
  easypaisa: msg`Easypaisa`,
  jazzCash: msg`JazzCash`,
  mPesa: msg`M-PESA`,
  mtnMoMo: msg`MTN MoMo`,
  nequi: msg`Nequi`,
  yape: msg`Yape`,
  plin: msg`Plin`,
  zelle: msg`Zelle`,
  cashApp: msg`Cash App`,
  interac: msg`Interac e-Transfer`,
  revolut: msg`Revolut`,
  kaspi: msg`Kaspi`,
  exchange: msg`Exchange`,
  other: msg`Other method`,
}

/** Fields that name the recipient or bank, but not the account. */
const DESCRIBING = new Set([
  'name',
  'bankName',
  'branch',
  'accountInfo',
  'exchangeName',
  'methodName',
  'qrCode',
  'ifsc',
  'sortCode',
  'routingNumber',
  'bsb',
  'bik',
])

/** Returns what distinguishes a method from the user's other methods: its account number, phone number or similar. */
export function accountIdentifier(fields: Readonly<Record<string, string>>): string {
  const found = Object.entries(fields).find(([name, value]) => value !== '' && !DESCRIBING.has(name))
  return found?.[1] ?? ''
}

/** Returns the names of types of payment methods. Unknown types are shown unchanged. */
export function useMethodNames(): { method: (type: string) => string } {
  const { t } = useLingui()
  return {
    method: (type) => {
      const known = NAMES[type]
      return known === undefined ? type : t(known)
    },
  }
}

const COLOURS: Record<string, string> = {
  bankCard: 'bg-[#e0a030]',
  sepa: 'bg-[#e0a030]',
  alipay: 'bg-[#2f88ff]',
  wechat: 'bg-[#28b561]',
  visaDirect: 'bg-[#6a6ff0]',
  momo: 'bg-[#c1358a]',
  kakaoPay: 'bg-[#e5c100]',
  exchange: 'bg-[#a06be0]',
}

/** Returns the color that marks a method next to its name. */
export function methodColor(type: string): string {
  return COLOURS[type] ?? 'bg-brand-fill'
}
