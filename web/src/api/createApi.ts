import createClient, { type Middleware } from 'openapi-fetch'
import { currentLanguage } from '@/i18n/catalogs'
import { syncServerTime } from '@/lib/clock'
import { uuid } from '@/lib/uuid'
import { ApiError, maintenanceWindow, readEnvelope } from './envelope'
import type { Calls } from './types'

const TIMEOUT_MS = 30_000

/** Sends a request with a timeout. Without a response, throws an `ApiError` whose outcome is unknown. */
async function boundedFetch(request: Request): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    return await globalThis.fetch(request, { signal })
  } catch (error) {
    if (request.signal.aborted) throw error
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
    throw new ApiError(timedOut ? 'timeout' : 'network', 0, '')
  }
}

/** The session of an app. */
export interface ApiSession {
  /** The value of the header `authorization`; null without a session, and if the session is in a cookie. */
  token: () => string | null
  /** Called when the server no longer accepts the session, with the maintenance window if that is the reason. */
  ended: (window: { start: string; end: string } | null) => void
}

/** Returns the headers of every request. */
export function commonHeaders(session: ApiSession): Record<string, string> {
  const token = session.token()
  return {
    ...(token === null ? {} : { authorization: token }),
    way: 'WEB',
    language: currentLanguage().header,
  }
}

function headersOf(session: ApiSession): Middleware {
  return {
    onRequest({ request }) {
      for (const [name, value] of Object.entries(commonHeaders(session))) request.headers.set(name, value)
      if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
        request.headers.set('Idempotency-Key', uuid())
      }
      return request
    },
  }
}

function timeOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'serverTime' in data ? data.serverTime : null
}

/** Returns the body of a response, or `null` if it is not JSON. A broken connection counts as no response. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response
    .clone()
    .text()
    .catch(() => {
      throw new ApiError('network', 0, '')
    })
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the data of a successful response. Throws an `ApiError` for any other response. */
export function dataOf(session: ApiSession, status: number, body: unknown): unknown {
  const read = readEnvelope(body)
  if (status === 502) throw new ApiError('502', 502, '')
  if (read === null) throw new ApiError('', status, '')
  if (read.code === '200') return read.data
  if (read.code === '401') session.ended(maintenanceWindow(read.message))
  throw new ApiError(read.code, status, read.message, read.data)
}

function envelopeOf(session: ApiSession): Middleware {
  return {
    async onResponse({ response }) {
      const time = timeOf(dataOf(session, response.status, await bodyOf(response)))
      if (typeof time === 'string') syncServerTime(time)
    },
  }
}

/** Returns the API, typed by its document. Calls throw `ApiError`; unwrap their envelope with `read`. */
export function createApi(session: ApiSession) {
  const api = createClient<Calls>({
    baseUrl: `${location.origin}/api`,
    fetch: boundedFetch,
    querySerializer: (query) => serialize(query),
  })
  api.use(headersOf(session), envelopeOf(session))
  return api
}

/** Indexes arrays (`methods[0]=…`), joins nested keys with dots and leaves out empty values. */
export function serialize(query: Record<string, unknown>): string {
  const out: string[] = []
  const put = (key: string, value: unknown): void => {
    if (value === undefined || value === null || value === '') return
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        put(`${key}[${index}]`, item)
      })
    } else if (typeof value === 'object') {
      for (const [name, item] of Object.entries(value)) put(`${key}.${name}`, item)
    } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      out.push(`${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    }
  }
  for (const [name, value] of Object.entries(query)) put(name, value)
  return out.join('&')
}

interface Answer<T> {
  data?: { data: T }
}

/** Returns the data of a response's envelope. */
export async function read<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data } = await answer
  if (data === undefined) throw new ApiError('', 0, '')
  return data.data
}

/** Waits for a command whose response contains no data. */
export async function completed(answer: Promise<unknown>): Promise<void> {
  await answer
}
