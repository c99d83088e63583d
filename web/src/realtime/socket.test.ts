import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  readMessage,
  Socket,
  type SocketMessage,
  type SocketTransport,
  socketPath,
  type TransportEvents,
} from './socket'

class FakeWire implements SocketTransport {
  sent: { type: string; message: string }[] = []
  closed = false
  readonly events: TransportEvents
  constructor(events: TransportEvents) {
    this.events = events
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {
    this.closed = true
    this.events.lost()
  }
  types() {
    return this.sent.map((one) => one.type)
  }
  says(type: string, message = '', number?: number) {
    this.events.heard(JSON.stringify({ type, message, number }))
  }
}

const wires: FakeWire[] = []
const heard: SocketMessage[] = []
let connected = 0
let socket: Socket

function last(): FakeWire {
  const wire = wires.at(-1)
  if (wire === undefined) throw new Error('no connection was opened')
  return wire
}

beforeEach(() => {
  vi.useFakeTimers()
  wires.length = 0
  heard.length = 0
  connected = 0
  socket = new Socket({
    open: (events) => {
      const wire = new FakeWire(events)
      wires.push(wire)
      return wire
    },
    onMessage: (message) => heard.push(message),
    onConnected: () => {
      connected += 1
    },
  })
})
afterEach(() => {
  socket.stop()
  vi.useRealTimers()
})

test('pings every ten seconds while it receives messages', () => {
  socket.start()
  last().events.opened()
  vi.advanceTimersByTime(10_000)
  last().events.heard('pong')
  vi.advanceTimersByTime(10_000)
  expect(last().types()).toEqual(['ping', 'ping'])
})

test('thirty seconds of silence count as a lost connection', () => {
  socket.start()
  last().events.opened()
  vi.advanceTimersByTime(40_000)
  expect(wires[0]?.closed).toBe(true)
  vi.advanceTimersByTime(1_000)
  expect(wires).toHaveLength(2)
})

test('an error and a close of the same connection cause one retry after a second', () => {
  socket.start()
  last().events.opened()
  const first = last()
  first.events.lost()
  first.events.lost()
  vi.advanceTimersByTime(999)
  expect(wires).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(wires).toHaveLength(2)
  vi.advanceTimersByTime(5_000)
  expect(wires).toHaveLength(2)
})

test('a stopped socket does not reconnect', () => {
  socket.start()
  last().events.opened()
  socket.stop()
  vi.advanceTimersByTime(60_000)
  expect(wires).toHaveLength(1)
})

test('a replaced socket stays closed until the page is visible, then requests the missed messages', () => {
  socket.start()
  last().events.opened()
  last().says('ORDER_STATUS_CHANGE', 'o1', 7)
  last().events.lost(4001)
  vi.advanceTimersByTime(3_600_000)
  expect(wires).toHaveLength(1)
  socket.wake()
  expect(wires).toHaveLength(2)
  last().events.opened()
  expect(last().sent[0]).toEqual({ type: 'resume', message: '7' })
  expect(connected).toBe(2)
})

test('waking opens no second connection, speeds up no retry and restarts no stopped socket', () => {
  socket.start()
  socket.wake()
  last().events.opened()
  socket.wake()
  expect(wires).toHaveLength(1)
  last().events.lost(1006)
  socket.wake()
  expect(wires).toHaveLength(1)
  vi.advanceTimersByTime(1_000)
  expect(wires).toHaveLength(2)
  socket.stop()
  socket.wake()
  expect(wires).toHaveLength(2)
})

test('subscriptions made before the connection are queued, and repeated after a reconnect', () => {
  const cancel = socket.subscribe('order-1')
  socket.subscribe('order-2')
  socket.start()
  expect(last().sent).toEqual([])
  last().events.opened()
  expect(last().sent.map((one) => one.message)).toEqual(['order-1', 'order-2'])
  cancel()
  expect(last().types().at(-1)).toBe('cancelSubAction')
  last().events.lost()
  vi.advanceTimersByTime(1_000)
  last().events.opened()
  expect(last().sent.map((one) => one.message)).toEqual(['order-2'])
})

test('a reconnect sends the last number and drops repeated messages', () => {
  socket.start()
  last().events.opened()
  last().says('ORDER_STATUS_CHANGE', 'o1', 7)
  last().events.lost()
  vi.advanceTimersByTime(1_000)
  last().events.opened()
  expect(last().sent[0]).toEqual({ type: 'resume', message: '7' })
  expect(connected).toBe(2)
  last().says('ORDER_STATUS_CHANGE', 'o1', 7)
  last().says('NEW_ORDER', 'o2', 8)
  expect(heard.map((one) => one.number)).toEqual([7, 8])
})

test('the first connection, however late, may have missed messages, and has no number to resume from', () => {
  socket.start()
  for (let attempt = 0; attempt < 3; attempt += 1) {
    last().events.lost()
    vi.advanceTimersByTime(1_000)
  }
  expect(connected).toBe(0)
  last().events.opened()
  expect(connected).toBe(1)
  expect(last().types()).toEqual([])
  // Nothing was received yet, so a reconnect has no number, either.
  last().events.lost()
  vi.advanceTimersByTime(1_000)
  last().events.opened()
  expect(connected).toBe(2)
  expect(last().types()).toEqual([])
})

test('exceptions, unknown types and invalid messages are ignored', () => {
  socket.start()
  last().events.opened()
  last().says('EXCEPTION', 'x')
  last().says('SOMETHING', 'x')
  last().events.heard('{broken')
  last().events.heard(new ArrayBuffer(1))
  expect(heard).toEqual([])
  expect(readMessage('null')).toBeNull()
})

test('the socket path is base64url-encoded JSON', () => {
  const segment = socketPath('u/ü', 'd1')
  expect(segment).toMatch(/^[\w-]+$/)
  const binary = atob(segment.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0))
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({ userId: 'u/ü', way: 'WEB', unique: 'd1' })
})
