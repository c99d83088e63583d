import { constants, createHash, createPublicKey, publicEncrypt, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Environment } from '../environment/environment.ts'

interface Envelope {
  code: string
  message: string
  data: unknown
}

/** Calls the API without a browser, to prepare a story. */
export class Api {
  private readonly environment: Environment
  private token: string | undefined

  constructor(environment: Environment) {
    this.environment = environment
  }

  signIn(token: string): void {
    this.token = token
  }

  async get<T>(path: string): Promise<T> {
    return this.ask(path, { method: 'GET' })
  }

  async post<T>(path: string, body: unknown = {}): Promise<T> {
    return this.ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    })
  }

  /** Uploads a picture. Returns its ID. */
  async upload(picture: Buffer): Promise<string> {
    const body = new FormData()
    body.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'picture.png')
    const headers = { 'idempotency-key': randomUUID() }
    const { id } = await this.ask<{ id: string }>('/file/uploadImage', { method: 'POST', body, headers })
    return id
  }

  private async ask<T>(path: string, request: RequestInit): Promise<T> {
    const headers = new Headers(request.headers)
    headers.set('way', 'WEB')
    headers.set('language', 'en_US')
    if (this.token !== undefined) headers.set('authorization', this.token)
    const response = await fetch(`${this.environment.product}/api${path}`, { ...request, headers })
    const { code, message, data } = (await response.json()) as Envelope
    if (code === '429' || code === '503') {
      // All users share one network address and its rate limit, and a busy machine. Wait and retry as the server asks.
      await setTimeout(1_000 * Number(response.headers.get('retry-after') ?? '1'))
      return this.ask(path, request)
    }
    if (code !== '200') throw new Refused(`${path}: ${code} ${message}`, code)
    return data as T
  }

  /** Encrypts a password as the browser does. */
  async seal(secret: string): Promise<{ keyId: string; cipher: string }> {
    const { keyId, publicKey, nonce } = await this.get<{ keyId: string; publicKey: string; nonce: string }>(
      '/user/secretKey',
    )
    const bare = publicKey.replace(/-----[^-]+-----|\s/g, '')
    const key = createPublicKey({ key: Buffer.from(bare, 'base64'), format: 'der', type: 'spki' })
    const cipher = publicEncrypt(
      { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(JSON.stringify({ secret, nonce })),
    )
    return { keyId, cipher: cipher.toString('base64') }
  }

  /** Returns the token of a slide check, which it solves with the answer from the environment. */
  async slideToken(): Promise<string> {
    const { id, salt, hash, most } = await this.get<{ id: string; salt: string; hash: string; most: number }>(
      '/slide',
    )
    const x = await this.environment.slideAnswer(id)
    const trail = [0.1, 0.3, 0.75, 1].map((part, index) => ({
      t: index * 130 + index * index * 9,
      x: Math.round(x * part),
    }))
    const number = Array.from({ length: most + 1 }, (_, at) => at).find(
      (at) => createHash('sha256').update(`${salt}${at}`).digest('hex') === hash,
    )
    const { token } = await this.post<{ token: string }>('/slide/verify', { id, x, trail, number })
    return token
  }
}

/** A refusal by the product. */
export class Refused extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}
