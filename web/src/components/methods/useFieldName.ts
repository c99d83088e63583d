import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

/** The names by field of the forms of payment methods. */
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
  accountNumber: msg`Account number`,
  phone: msg`Phone number`,
  email: msg`Email`,
  upiId: msg`UPI ID`,
  ifsc: msg`IFSC code`,
  clabe: msg`CLABE`,
  cbu: msg`CBU or CVU`,
  sortCode: msg`Sort code`,
  routingNumber: msg`Routing number`,
  bsb: msg`BSB`,
  bik: msg`BIK`,
  cashtag: msg`Cashtag`,
  revtag: msg`Revtag`,
}

/** The names of the field `account` of types that have no account numbers. */
const ACCOUNTS: Record<string, MessageDescriptor> = {
  alipay: msg`Email or phone number`,
  wechat: msg`WeChat ID`,
  pix: msg`Pix key`,
  promptPay: msg`Phone number or ID number`,
  payNow: msg`Phone number, NRIC or UEN`,
  duitNow: msg`Phone number or ID number`,
  fps: msg`FPS ID, phone number or email`,
  zelle: msg`Email or US phone number`,
  mercadoPago: msg`Email, phone number or alias`,
  visaDirect: msg`Card number`,
  exchange: msg`Account at the exchange`,
}

/** Returns the name of a field of a type of payment method. Unknown fields are shown unchanged. */
export function useFieldName(): (name: string, type: string) => string {
  const { t } = useLingui()
  return (name, type) => {
    const known = (name === 'account' ? ACCOUNTS[type] : undefined) ?? FIELDS[name]
    return known === undefined ? name : t(known)
  }
}
