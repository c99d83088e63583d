/** A message from the server. `number` counts per user; a reconnecting client sends the last one it received. */
export interface SocketMessage {
  type: 'TALK' | 'ORDER_STATUS_CHANGE' | 'OTC_VOICE' | 'NEW_ORDER' | 'ACCOUNT_CHANGE' | 'EXCEPTION' | 'pong'
  message: string
  number: number | null
}

/** The part of a `WebSocket` that `Socket` uses; tests provide their own. */
export interface SocketTransport {
  send: (text: string) => void
  close: () => void
}

export interface TransportEvents {
  opened: () => void
  /** Called when the connection was closed with this code, or failed. Browsers often report both. */
  lost: (code?: number) => void
  heard: (data: unknown) => void
}

export function browserTransport(url: string, events: TransportEvents): SocketTransport {
  const socket = new WebSocket(url)
  socket.addEventListener('open', events.opened)
  socket.addEventListener('close', (event) => events.lost(event.code))
  socket.addEventListener('error', () => events.lost())
  socket.addEventListener('message', (event) => events.heard(event.data))
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close: () => socket.close(),
  }
}

export interface SocketOptions {
  open: (events: TransportEvents) => SocketTransport
  onMessage: (message: SocketMessage) => void
  /**
   * Called after each connect, also the first: messages since the page fetched its data may have been missed. The number of
   * the last message is unknown before the first message, so the server cannot repeat them.
   */
  onConnected: () => void
}

const PING_MS = 10_000
const RETRY_MS = 1_000
const SILENCE_MS = 30_000
/** The close code for a socket that a newer socket of the same user replaces. */
const REPLACED = 4001

const TYPES: readonly SocketMessage['type'][] = [
  'TALK',
  'ORDER_STATUS_CHANGE',
  'OTC_VOICE',
  'NEW_ORDER',
  'ACCOUNT_CHANGE',
  'EXCEPTION',
  'pong',
]

/** Parses a frame. Returns `null` if it does not follow the protocol. */
export function readMessage(data: unknown): SocketMessage | null {
  if (typeof data !== 'string') return null
  if (data === 'pong') return { type: 'pong', message: '', number: null }
  let body: unknown
  try {
    body = JSON.parse(data)
  } catch {
    return null
  }
  if (typeof body !== 'object' || body === null || !('type' in body)) return null
  const type = TYPES.find((known) => known === body.type)
  if (type === undefined) return null
  const message = 'message' in body ? body.message : ''
  const number = 'number' in body && typeof body.number === 'number' ? body.number : null
  return {
    type,
    message: typeof message === 'string' ? message : JSON.stringify(message),
    number,
  }
}

/** Returns the path segment that identifies the user and device: JSON in base64url. */
export function socketPath(userId: string, unique: string): string {
  const json = JSON.stringify({ userId, way: 'WEB', unique })
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(json)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * Keeps a websocket alive: pings, detects silence, reconnects with one connection at a time, queues subscriptions
 * until the socket is open, and requests missed messages.
 */
export class Socket {
  readonly #options: SocketOptions
  readonly #subscriptions = new Set<string>()
  #wire: SocketTransport | null = null
  #open = false
  #wanted = false
  #lastNumber: number | null = null
  #lastHeard = 0
  #ping: ReturnType<typeof setInterval> | null = null
  #retry: ReturnType<typeof setTimeout> | null = null

  constructor(options: SocketOptions) {
    this.#options = options
  }

  start(): void {
    this.#wanted = true
    if (this.#wire === null && this.#retry === null) this.#connect()
  }

  /** Reconnects a replaced socket when the page is visible again. Other sockets retry on their own. */
  wake(): void {
    if (this.#wanted && this.#wire === null && this.#retry === null) this.#connect()
  }

  /** Closes the socket without reconnecting. */
  stop(): void {
    this.#wanted = false
    if (this.#retry !== null) clearTimeout(this.#retry)
    this.#retry = null
    this.#drop()
    this.#lastNumber = null
  }

  subscribe(topic: string): () => void {
    this.#subscriptions.add(topic)
    if (this.#open) this.#send('subOrderAction', topic)
    return () => {
      if (this.#subscriptions.delete(topic) && this.#open) this.#send('cancelSubAction', topic)
    }
  }

  #send(type: string, message: string): void {
    this.#wire?.send(JSON.stringify({ type, message }))
  }

  #connect(): void {
    // Events of an abandoned transport must not affect its successor.
    const mine = () => this.#wire === wire
    const wire = this.#options.open({
      opened: () => {
        if (mine()) this.#opened()
      },
      lost: (code) => {
        if (mine()) this.#lost(code)
      },
      heard: (data) => {
        if (!mine()) return
        this.#lastHeard = Date.now()
        this.#receive(readMessage(data))
      },
    })
    this.#wire = wire
  }

  #opened(): void {
    this.#open = true
    this.#lastHeard = Date.now()
    if (this.#lastNumber !== null) this.#send('resume', String(this.#lastNumber))
    this.#options.onConnected()
    for (const topic of this.#subscriptions) this.#send('subOrderAction', topic)
    this.#ping = setInterval(() => {
      this.#beat()
    }, PING_MS)
  }

  #receive(message: SocketMessage | null): void {
    if (message === null || message.type === 'pong' || message.type === 'EXCEPTION') return
    if (message.number !== null) {
      // Messages are delivered at least once, and a resume may repeat them.
      if (this.#lastNumber !== null && message.number <= this.#lastNumber) return
      this.#lastNumber = message.number
    }
    this.#options.onMessage(message)
  }

  #beat(): void {
    if (Date.now() - this.#lastHeard > SILENCE_MS) this.#lost()
    else this.#send('ping', String(Date.now()))
  }

  #drop(): void {
    if (this.#ping !== null) clearInterval(this.#ping)
    this.#ping = null
    this.#open = false
    const wire = this.#wire
    this.#wire = null
    wire?.close()
  }

  #lost(code?: number): void {
    this.#drop()
    if (!this.#wanted || this.#retry !== null) return
    // A retry would replace another page's socket, whose retry would replace this one, and so on endlessly.
    if (code === REPLACED) return
    this.#retry = setTimeout(() => {
      this.#retry = null
      if (this.#wanted) this.#connect()
    }, RETRY_MS)
  }
}
