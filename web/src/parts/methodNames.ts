import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

const NAMES: Record<string, MessageDescriptor> = {
  USDT: msg`USDT address`,
  ALIPAY: msg`Alipay`,
  WECHAT: msg`WeChat`,
  BANK: msg`Bank card`,
  VISA: msg`VISA Direct`,
  EXCHANGE: msg`Exchange`,
  OTHER: msg`Other method`,
}

const FIELDS: Record<string, MessageDescriptor> = {
  name: msg`Account holder`,
  account: msg`Account or card number`,
  bankName: msg`Bank name`,
  branch: msg`Branch`,
  iban: msg`IBAN`,
  note: msg`Transfer note`,
  accountInfo: msg`Account information`,
  exchangeName: msg`Exchange name`,
  methodName: msg`Name of the method`,
  address: msg`Address`,
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
  BANK: 'bg-[#e0a030]',
  ALIPAY: 'bg-[#2f88ff]',
  WECHAT: 'bg-[#28b561]',
  VISA: 'bg-[#6a6ff0]',
  EXCHANGE: 'bg-[#a06be0]',
}

/** The colour bar that tells methods apart at a glance; the word beside it says which it is. */
export function methodColour(type: string): string {
  return COLOURS[type] ?? 'bg-brand-fill'
}
