import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

/** By the type of the server's forms; brands keep their own spelling in every language. */
const NAMES: Record<string, MessageDescriptor> = {
  USDT: msg`USDT address`,
  bankCard: msg`Bank card`,
  alipay: msg`Alipay`,
  wechat: msg`WeChat`,
  visaDirect: msg`VISA Direct`,
  sepa: msg`SEPA transfer`,
  pix: msg`Pix`,
  promptPay: msg`PromptPay`,
  momo: msg`MoMo`,
  kakaoPay: msg`KakaoPay`,
  papara: msg`Papara`,
  exchange: msg`Exchange`,
  other: msg`Other method`,
}

const FIELDS: Record<string, MessageDescriptor> = {
  name: msg`Account holder`,
  account: msg`Account or card number`,
  bankName: msg`Bank name`,
  branch: msg`Branch`,
  iban: msg`IBAN`,
  accountInfo: msg`Account information`,
  exchangeName: msg`Exchange name`,
  methodName: msg`Name of the method`,
  qrCode: msg`QR code`,
}

/** Words for the types of payment method and for the fields of their forms; unknown ones show as they are. */
export function useMethodNames(): { method: (type: string) => string; field: (name: string) => string } {
  const { i18n } = useLingui()
  const say = (table: Record<string, MessageDescriptor>, key: string) => {
    const known = table[key]
    return known === undefined ? key : i18n._(known)
  }
  return { method: (type) => say(NAMES, type), field: (name) => say(FIELDS, name) }
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

/** The colour bar that tells methods apart at a glance; the word beside it says which it is. */
export function methodColour(type: string): string {
  return COLOURS[type] ?? 'bg-brand-fill'
}
