import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { ApiError } from './envelope'

/** The four texts of the transport. */
const me434 = msg({ id: 'me_434', message: 'The network is unstable. Check your connection and try again.' })
const me177 = msg({
  id: 'me_177',
  message: 'Something went wrong on our side. Nothing was changed; try again in a moment.',
})
const me544 = msg({
  id: 'me_544',
  message: 'The price has changed. Look at the new price and confirm again.',
})
const me633 = msg({
  id: 'me_633',
  message: 'Your environment looks at risk. Try again from a network you trust.',
})

/** What each code of the account calls means to the person who reads it. */
const TEXTS: Record<string, MessageDescriptor> = {
  '401': msg`Your session has ended. Log in again.`,
  '800': msg`The signature of the pass could not be verified.`,
  '801': msg`This ME ID has no verified identity yet. Verify it in the pass app first.`,
  '803': msg`The QR code has expired. Refresh it and scan again.`,
  '804': msg`The pass did not return an authorization. Try again.`,
  '805': msg`The pass did not return an address. Try again.`,
  '806': msg`This address is not registered yet. Register first.`,
  '807': msg`Finish the advanced verification in the pass app first.`,
  '1000': msg`This e-mail is already registered.`,
  '1001': msg`There is no such user.`,
  '1002': msg`This ID is not bound to an account.`,
  '1003': msg`This account may not log in.`,
  '1004': msg`Wrong e-mail or password.`,
  '1005': msg`Logging in did not work. Try again.`,
  '1006': msg`Your login has expired. Log in again.`,
  '1007': msg`That took too long. Try again.`,
  '1008': msg`This ID is bound to another account.`,
  '1010': msg`The QR code could not be verified. Refresh it and try again.`,
  '1011': msg`Binding did not work. Try again.`,
  '1012': msg`This is not the ID that is bound to your account.`,
  '1013': msg`The code is wrong or has expired.`,
  '1014': msg`The upload did not work. Try again.`,
  '1016': msg`This record no longer exists.`,
  '1017': msg`Choose a region.`,
  '1019': msg`The signature could not be verified.`,
  '1030': msg`This text contains words that are not allowed.`,
  '1031': msg`You have already changed this in the last seven days.`,
  '1032': msg`The new password must differ from the old one.`,
  '1037': msg`This nickname is taken.`,
  '1038': msg`Use letters and digits only.`,
  '1039': msg`Set a nickname first.`,
  RISK5001: msg`Logging in is blocked for this account. Contact customer service.`,
  RISK5002: msg`Withdrawals are blocked for this account. Contact customer service.`,
  RISK5003: msg`Buying is blocked for this account. Contact customer service.`,
  RISK5004: msg`Selling is blocked for this account. Contact customer service.`,
  USER3003: msg`The security password must be longer than 8 characters.`,
  USER3008: msg`The security password must differ from your login password.`,
  USER3011: msg`The security password is wrong.`,
  USER4000: msg`The code has six digits.`,
}

/** Trade and balance refusals: the server's text says the bound or the shortfall, in the language asked for. */
const SERVER_TEXT = /^(?:400|429|999|1015|1018|1033|SDK1003|3\d{3}|4\d{3}|5\d{3}|AC\d{4})$/

/** Codes whose screen says it in its own way, so no toast does. */
const NO_TOAST = new Set(['500', '1009', '401', '5043', '1042'])

export interface Explanation {
  text: string
  toast: boolean
}

/** The specification's rules for what a failed call shows. */
export function explanation(error: unknown): Explanation {
  if (!(error instanceof ApiError)) return { text: i18n._(me434), toast: true }
  const { code, status, message, data } = error
  const toast = !NO_TOAST.has(code)
  const own = TEXTS[code]
  if (code === '5043') return { text: i18n._(me544), toast }
  if (code === '1042') return { text: message === '' ? i18n._(me633) : message, toast }
  if (code === '500' || (code === '' && status === 500 && data === null))
    return { text: i18n._(me177), toast }
  if (own !== undefined) return { text: i18n._(own), toast }
  if (SERVER_TEXT.test(code) && message !== '') return { text: message, toast }
  return { text: i18n._(me434), toast }
}
