import { expect, test } from 'vitest'
import { InsecureContextError } from '@/lib/encrypt'
import { ApiError } from './envelope'
import { explain } from './explain'

const say = (code: string, status = 409, message = '', data: unknown = null) =>
  explain(new ApiError(code, status, message, data))

test.each([
  ['timeout', 0],
  ['network', 0],
  ['502', 502],
  ['', 200],
  ['9999', 409],
])('transport failure or unknown code "%s" says the network is unstable', async (code, status) => {
  expect(await say(code, status, 'internal text')).toEqual({
    text: 'The network is unstable. Check your connection and try again.',
    toast: true,
  })
})

test('a server error never shows an internal message', async () => {
  expect((await say('500', 500, 'stack trace')).text).toContain('Something went wrong on our side')
})

test('a command with a server error says that its outcome is unknown', async () => {
  const failed = new ApiError('500', 500, '')
  expect((await explain(failed, 'command')).text).toBe(
    'Something went wrong on our side, and we can’t tell whether your request went through. Try again: it won’t be processed twice.',
  )
  expect((await explain(failed)).text).toBe('Something went wrong on our side. Try again in a moment.')
})

test('codes that a screen handles itself raise no toast', async () => {
  for (const code of ['500', '1009', '401', '5043', '1042']) expect((await say(code)).toast).toBe(false)
})

test('1015, 1033 and SDK1003 show their own message', async () => {
  for (const code of ['1015', '1033', 'SDK1003'])
    expect((await say(code, 409, 'their words')).text).toBe('their words')
})

test('1042 has its own text without a translation', async () => {
  expect((await say('1042')).text).toContain('environment')
})

test('a trade refusal shows the server’s message', async () => {
  expect((await say('5008', 409, 'At least 10 USD')).text).toBe('At least 10 USD')
})

test('a refused text is told why, unless the server’s message says it', async () => {
  const words = 'The text contains words that aren’t allowed.'
  const refused = (reason?: string) => say('1030', 422, words, { field: 'remark', reason })
  expect((await refused('contact information')).text).toBe(
    'Don’t include phone numbers, links, account names or email addresses.',
  )
  expect((await refused('early release')).text).toBe(
    'Don’t ask for anything to be released before the payment has arrived.',
  )
  expect((await refused('rejected')).text).toBe('This nickname was rejected before. Choose another one.')
  expect((await refused('forbidden words')).text).toBe(words)
  expect((await refused()).text).toBe(words)
})

test('a wait is said in units of people, not in seconds', async () => {
  const words = 'Too many attempts. Try again in 40000 seconds.'
  expect((await say('429', 429, words, { retryAfter: 40_000 })).text).toBe(
    'Too many attempts. Try again in 11 hours 7 minutes.',
  )
  expect((await say('429', 429, words)).text).toBe(words)
})

test('times in a refusal are those of the user’s clock', async () => {
  const until = '2026-11-28T12:47:34.000Z'
  const shown = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(until),
  )
  expect((await say('1031', 409, `Again from ${until}.`, { field: 'nickname', until })).text).toBe(
    `Again from ${shown}.`,
  )
})

test('an error that is not an ApiError has a text', async () => {
  expect((await explain(new Error('boom'))).text).toContain('network')
})

test('without HTTPS, the text names the insecure connection, not the network', async () => {
  expect(await explain(new InsecureContextError())).toEqual({
    text: expect.stringContaining('This page needs a secure connection'),
    toast: true,
  })
})
