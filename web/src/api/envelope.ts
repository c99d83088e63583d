/** The body of every response. Clients act on `code`; "200" means success. */
export interface Envelope<T> {
  code: string
  message: string
  data: T
}

/** A refusal or failure of one call. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The code of the envelope, or of the transport: `timeout`, `network`, `502`. */
  readonly code: string
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** The facts of the refusal: a bound, a shortfall, the current order. */
  readonly data: unknown

  constructor(code: string, status: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }

  /** Whether it is unknown if the server executed the command. A retry with the same idempotency key is safe. */
  get outcomeUnknown(): boolean {
    // A success without an envelope comes from a proxy or a captive portal, not from the server.
    const foreign = this.code === '' && this.status < 400
    return foreign || this.status === 0 || this.status >= 500
  }
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError
}

const IN_FRONT = new Set([0, 502, 503, 504])

/** Returns whether the server is unreachable: no response, a response from a proxy, or a server that is not ready. */
export function isUnreachable(error: unknown): boolean {
  return isApiError(error) && IN_FRONT.has(error.status)
}

/** Returns whether a retry may succeed. A refusal would be the same again. */
export function isRetryable(error: unknown): boolean {
  return isApiError(error) && error.outcomeUnknown
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Parses a body as an envelope. Returns `null` if it has no code; screens then show `me_434`. */
export function readEnvelope(body: unknown): Envelope<unknown> | null {
  if (!isRecord(body)) return null
  const code = body['code']
  if (typeof code !== 'string' && typeof code !== 'number') return null
  const message = body['message']
  return {
    code: String(code),
    message: typeof message === 'string' ? message : '',
    data: body['data'] ?? null,
  }
}

/** Returns a fact of a refusal, such as a bound, if it is a text. */
export function refusedFact(error: unknown, name: string): string | null {
  if (!isApiError(error) || !isRecord(error.data)) return null
  const fact = error.data[name]
  return typeof fact === 'string' ? fact : null
}

/** Returns the field that a validation refusal names, if any. */
export function refusedField(error: unknown): string | null {
  return refusedFact(error, 'field')
}

/** Parses the maintenance window in the message of code 401: a JSON array of two items. */
export function maintenanceWindow(message: string): { start: string; end: string } | null {
  try {
    const read: unknown = JSON.parse(message)
    if (!Array.isArray(read) || read.length !== 2) return null
    const [start, end] = read.map(String)
    return start === undefined || end === undefined ? null : { start, end }
  } catch {
    return null
  }
}
