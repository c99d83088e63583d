import { userSession } from './client'
import { commonHeaders, dataOf } from './createApi'
import { ApiError } from './envelope'
import type { UploadedFile } from './types'

/** The time in which the server accepts an upload. */
const TIMEOUT_MS = 120_000

export type UploadKind = 'image' | 'video'

const PATHS: Record<UploadKind, string> = { image: '/api/file/uploadImage', video: '/api/file/uploadFile' }

export interface UploadOptions {
  /** The idempotency key. A retry of the same file under its key gets the same response. */
  key: string
  signal: AbortSignal
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress: (share: number) => void
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isFile(data: unknown): data is UploadedFile {
  return typeof data === 'object' && data !== null && 'id' in data && 'url' in data
}

/** Uploads a file. Throws an `ApiError`, like every call. Uses XMLHttpRequest because fetch reports no progress. */
export function upload(kind: UploadKind, file: Blob, options: UploadOptions): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    options.signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const fail = (code: string) => reject(new ApiError(code, 0, ''))
    request.open('POST', PATHS[kind])
    for (const [name, value] of Object.entries(commonHeaders(userSession)))
      request.setRequestHeader(name, value)
    request.setRequestHeader('Idempotency-Key', options.key)
    request.timeout = TIMEOUT_MS
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      options.onProgress(total === 0 ? 0 : loaded / total)
    })
    request.addEventListener('error', () => fail('network'))
    request.addEventListener('abort', () => fail('network'))
    request.addEventListener('timeout', () => fail('timeout'))
    request.addEventListener('load', () => {
      try {
        const data = dataOf(userSession, request.status, jsonOf(request.responseText))
        if (isFile(data)) resolve(data)
        else fail('')
      } catch (error) {
        reject(error)
      }
    })
    options.signal.addEventListener('abort', () => request.abort(), { once: true })
    const body = new FormData()
    body.append('file', file)
    request.send(body)
  })
}
