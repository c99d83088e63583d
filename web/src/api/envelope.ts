/** Every answer of the API. `code` is what a client acts on; "200" is success. */
export interface Envelope<T> {
  code: string
  message: string
  data: T
}

/** A refusal or a failure of one call. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The code of the envelope, or one of the transport: `timeout`, `network`, `502`. */
  readonly code: string
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** What the refusal says besides its code: the bound, the shortfall, the present order. */
  readonly data: unknown

  constructor(code: string, status: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }

  /** Nobody knows whether the command was carried out: sending it again with the same key is safe. */
  get undecided(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError
}

const IN_FRONT = new Set([0, 502, 503, 504])

/** No answer came, or one that somebody in front of the product gives, or that it is not ready. */
export function isUnreachable(error: unknown): boolean {
  return isApiError(error) && IN_FRONT.has(error.status)
}

/** Asking again later helps; a refusal would be the same. */
export function mayPass(error: unknown): boolean {
  return isApiError(error) && error.undecided
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Reads an answer's body as an envelope; a body without a code is none (shown as `me_434`). */
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

/** The field a validation refusal names, if it names one. */
export function refusedField(error: unknown): string | null {
  if (!isApiError(error) || !isRecord(error.data)) return null
  const field = error.data['field']
  return typeof field === 'string' ? field : null
}

/** A maintenance window: the message of code 401 as a two-item JSON array. */
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
