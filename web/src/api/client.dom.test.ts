import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearSession, signIn } from '@/session/session'
import { onSessionEnd, type SessionEnd } from '@/session/sessionEnd'
import { api, completed, read, serialize } from './client'
import { ApiError } from './envelope'

const sent: Request[] = []
const ends: SessionEnd[] = []
let stop = () => {}

function answerWith(body: unknown, status = 200) {
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(request)
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
  })
}

beforeEach(() => {
  sent.length = 0
  ends.length = 0
  stop = onSessionEnd((end) => ends.push(end))
})
afterEach(() => {
  stop()
  clearSession()
})

test('a call carries session, platform and language, and a command its idempotency key', async () => {
  signIn('secret', 'u1')
  answerWith({ code: '200', message: '', data: { has: true } })
  expect(await read(api.GET('/user/hasSecurityCode'))).toEqual({ has: true })
  await completed(api.POST('/logout', { body: {} }))
  const [get, post] = sent
  expect(get?.headers.get('authorization')).toBe('secret')
  expect(get?.headers.get('way')).toBe('WEB')
  expect(get?.headers.get('language')).toBe('en_US')
  expect(get?.headers.has('Idempotency-Key')).toBe(false)
  expect(post?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/)
})

test('a refusal is an ApiError with its code, message and data', async () => {
  answerWith({ code: '5043', message: 'Price changed', data: { price: '1.02' } }, 409)
  const refusal = await read(api.GET('/user/hasSecurityCode')).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ApiError)
  expect(refusal).toMatchObject({ code: '5043', status: 409, data: { price: '1.02' }, outcomeUnknown: false })
})

test('a numeric code is read as text', async () => {
  answerWith({ code: 200, data: { has: false } })
  expect(await read(api.GET('/user/hasSecurityCode'))).toEqual({ has: false })
})

test.each([
  ['<html>bad gateway</html>', 502, '502'],
  ['{"hello":1}', 200, ''],
  ['', 500, ''],
])('%s with %i has the code "%s"', async (body, status, code) => {
  answerWith(body, status)
  await expect(read(api.GET('/user/hasSecurityCode'))).rejects.toMatchObject({ code, status })
})

test('a missing response leaves the outcome of the command unknown', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')))
  await expect(completed(api.POST('/logout', { body: {} }))).rejects.toMatchObject({
    code: 'network',
    outcomeUnknown: true,
  })
})

test('a response that breaks off leaves the outcome of the command unknown', async () => {
  const cut = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"code":"200",'))
      controller.error(new TypeError('failed'))
    },
  })
  vi.stubGlobal('fetch', async () => new Response(cut))
  await expect(completed(api.POST('/logout', { body: {} }))).rejects.toMatchObject({
    code: 'network',
    outcomeUnknown: true,
  })
})

test('a success that is not from the server leaves the outcome of the command unknown', async () => {
  answerWith('<html>Log in to the airport Wi-Fi</html>')
  await expect(completed(api.POST('/logout', { body: {} }))).rejects.toMatchObject({
    code: '',
    outcomeUnknown: true,
  })
})

test('401 ends the session, or starts maintenance if it has a window', async () => {
  answerWith({ code: '401', message: 'login invalid', data: null }, 401)
  await expect(read(api.GET('/balance'))).rejects.toMatchObject({ code: '401' })
  answerWith({ code: '401', message: '["2026-01-01T00:00:00Z","2026-01-01T02:00:00Z"]', data: null }, 503)
  await expect(read(api.GET('/balance'))).rejects.toMatchObject({ code: '401' })
  expect(ends).toEqual([
    { why: 'expired' },
    { why: 'maintenance', start: '2026-01-01T00:00:00Z', end: '2026-01-01T02:00:00Z' },
  ])
})

test('query arrays are indexed, nested keys are dotted, and empty values are omitted', () => {
  expect(
    serialize({ methods: ['a', 'b'], price: { min: '1' }, page: 0, on: false, q: '', n: undefined }),
  ).toBe('methods%5B0%5D=a&methods%5B1%5D=b&price.min=1&page=0&on=false')
})
