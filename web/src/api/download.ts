import { userSession } from './client'
import { commonHeaders, dataOf } from './createApi'
import { ApiError } from './envelope'

const TIMEOUT_MS = 60_000

export interface Downloaded {
  /** The file name that the server suggests. */
  name: string
  content: Blob
  headers: Headers
}

/** Downloads a file with the session of the user. Throws an `ApiError`, like every call. */
export async function download(path: string): Promise<Downloaded> {
  let response: Response
  let content: Blob
  try {
    response = await fetch(`/api${path}`, {
      headers: commonHeaders(userSession),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    content = await response.blob()
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
    throw new ApiError(timedOut ? 'timeout' : 'network', 0, '')
  }
  const disposition = response.headers.get('content-disposition') ?? ''
  const name = /filename="([\w.-]+)"/.exec(disposition)?.[1]
  if (response.ok && name !== undefined) return { name, content, headers: response.headers }
  const body: unknown = await content
    .text()
    .then((text): unknown => JSON.parse(text))
    .catch(() => null)
  dataOf(userSession, response.status, body)
  throw new ApiError('', response.status, '')
}

/** Saves a file as the browser does with a download. */
export function save({ name, content }: Pick<Downloaded, 'name' | 'content'>): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Not at once, because some browsers read the content only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
