import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { currentLanguage } from '@/i18n/catalogs'
import { wait } from '@/i18n/duration'
import { formatsOf } from '@/i18n/format'
import { InsecureContextError } from '@/lib/encrypt'
import { ApiError, refusedFact } from './envelope'

/** The texts that the specification defines for transport failures. */
const me434 = msg({ id: 'me_434', message: 'The network is unstable. Check your connection and try again.' })
const me177 = msg({
  id: 'me_177_command',
  message:
    'Something went wrong on our side, and we can’t tell whether your request went through. Try again: it won’t be processed twice.',
})
/** The text for the same failure of a call that changes nothing. */
const me177read = msg({
  id: 'me_177',
  message: 'Something went wrong on our side. Try again in a moment.',
})
const me544 = msg({
  id: 'me_544',
  message: 'The price has changed. Review it and confirm again.',
})
const me633 = msg({
  id: 'me_633',
  message: 'Your environment may be at risk. Try again on a network you trust.',
})

const insecure = msg({
  id: 'insecure',
  message:
    'This page needs a secure connection (https). Without it, your password can’t be encrypted. Open the https address.',
})

/** The texts for the reasons of 1030 that the server's message, which names only forbidden words, doesn't say. */
const UNSPEAKABLE = new Map([
  [
    'contact information',
    msg({
      id: 'me_1030_contact',
      message: 'Don’t include phone numbers, links, account names or email addresses.',
    }),
  ],
  [
    'early release',
    msg({
      id: 'me_1030_release',
      message: 'Don’t ask for anything to be released before the payment has arrived.',
    }),
  ],
  [
    'rejected',
    msg({ id: 'me_1030_rejected', message: 'This nickname was rejected before. Choose another one.' }),
  ],
])

const me401 = msg({ id: 'me_401', message: 'Your session has ended. Log in again.' })

/**
 * Codes whose message comes from the server, in the requested language and with facts such as a bound, a shortfall or
 * the minutes left. Any other code is unknown.
 */
const KNOWN =
  /^(?:40[03489]|413|429|503|8\d\d|999|1\d{3}|3\d{3}|4\d{3}|5\d{3}|6\d{3}|(?:AC|RISK|USER|SDK)\d{4})$/

/** Codes that screens show themselves, without a toast. */
const NO_TOAST = new Set(['500', '1009', '401', '5043', '1042'])

export interface Explanation {
  text: string
  toast: boolean
}

/** The purpose of a call: to read, or to change something. */
export type Purpose = 'read' | 'command'

/** Returns what to show for a failed call, as the specification requires. */
export function explainCode(error: unknown, purpose: Purpose = 'read'): Explanation {
  if (error instanceof InsecureContextError) return { text: i18n._(insecure), toast: true }
  if (!(error instanceof ApiError)) return { text: i18n._(me434), toast: true }
  const { code, status, message, data } = error
  const toast = !NO_TOAST.has(code)
  if (code === '5043') return { text: i18n._(me544), toast }
  if (code === '1042') return { text: message === '' ? i18n._(me633) : message, toast }
  if (code === '500' || (code === '' && status === 500 && data === null))
    return { text: i18n._(purpose === 'command' ? me177 : me177read), toast }
  if (code === '401') return { text: i18n._(me401), toast }
  const unspeakable = code === '1030' ? UNSPEAKABLE.get(refusedFact(error, 'reason') ?? '') : undefined
  if (unspeakable !== undefined) return { text: i18n._(unspeakable), toast }
  const seconds = code === '429' ? secondsToWait(data) : null
  if (seconds !== null) return { text: tooMany(wait(currentLanguage().tag, seconds)), toast }
  if (KNOWN.test(code) && message !== '') return { text: withLocalTimes(message, error), toast }
  return { text: i18n._(me434), toast }
}

/** Returns the seconds after which a refused call can be repeated, if the refusal says so. */
function secondsToWait(data: unknown): number | null {
  if (typeof data !== 'object' || data === null || !('retryAfter' in data)) return null
  return typeof data.retryAfter === 'number' ? data.retryAfter : null
}

/** The server's text for this code says the wait in seconds, however long it is. */
function tooMany(waiting: string): string {
  return i18n._(msg({ id: 'me_429', message: `Too many attempts. Try again in ${waiting}.` }))
}

/** The facts of refusals that are times. */
const TIMES = ['until', 'from']

/** Returns the server's message with its times, which are in UTC, as the user reads them. */
function withLocalTimes(message: string, error: ApiError): string {
  const { time } = formatsOf(currentLanguage())
  const times = TIMES.map((name) => refusedFact(error, name) ?? '').filter((at) => at !== '')
  return times.reduce((text, at) => text.replaceAll(at, time(at)), message)
}
