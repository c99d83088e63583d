import { QueryClient } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeOwn } from '@/session/own'
import { clearSession, signIn } from '@/session/session'
import { onSessionEnd } from '@/session/sessionEnd'
import { flushAll, sendMessage, useOutbox } from './outbox'

interface Sent {
  token: string | null
  key: string | null
  order: string
  text: string
}

const sent: Sent[] = []
/** How the server answers; `lost` answers nothing. */
let server: 'up' | 'lost' | 'session over' = 'up'

beforeEach(() => {
  sent.length = 0
  server = 'up'
  vi.stubGlobal('fetch', async (request: Request) => {
    const { text } = JSON.parse(await request.text())
    const { headers, url } = request
    sent.push({
      token: headers.get('authorization'),
      key: headers.get('idempotency-key'),
      order: url.split('/').at(-1) ?? '',
      text,
    })
    if (server === 'lost') throw new TypeError('no connection')
    if (server === 'session over') return Response.json({ code: '401', message: '', data: null })
    return Response.json({ code: '200', message: '', data: { number: sent.length, files: [] } })
  })
  signIn('t1', 'u1')
})
afterEach(() => {
  for (const user of ['u1', 'u2']) removeOwn(user)
  clearSession()
})

const queue = (orderId: string) => renderHook(() => useOutbox(orderId)).result.current
const stored = () => JSON.stringify(Object.entries(localStorage))

test('a waiting message is neither shown to another user nor sent in their name', async () => {
  const client = new QueryClient()
  server = 'lost'
  sendMessage(client, 'o-1', { text: 'by u1' })
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  clearSession()
  server = 'up'
  signIn('t2', 'u2')
  expect(queue('o-1')).toEqual([])
  flushAll(client)
  sendMessage(client, 'o-1', { text: 'by u2' })
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toMatchObject({ token: 't2', text: 'by u2' })
  // The author logs in again.
  signIn('t3', 'u1')
  expect(queue('o-1').map(({ text }) => text)).toEqual(['by u1'])
  flushAll(client)
  await vi.waitFor(() => expect(sent).toHaveLength(3))
  expect(sent[2]).toEqual({ token: 't3', key: sent[0]?.key, order: 'o-1', text: 'by u1' })
})

test('a message that a session refuses because it has ended waits for its author', async () => {
  const client = new QueryClient()
  const stop = onSessionEnd(clearSession)
  server = 'session over'
  sendMessage(client, 'o-1', { text: 'late' })
  await vi.waitFor(() => expect(localStorage.getItem('userId')).toBeNull())
  stop()
  server = 'up'
  signIn('t2', 'u1')
  expect(queue('o-1')).toEqual([expect.objectContaining({ text: 'late' })])
  expect(queue('o-1')[0]).not.toHaveProperty('refusal')
  flushAll(client)
  await vi.waitFor(() => expect(queue('o-1')).toEqual([]))
  expect(sent.map(({ key }) => key)).toEqual([sent[0]?.key, sent[0]?.key])
})

test('the messages of all orders are sent together, and leave nothing behind', async () => {
  const client = new QueryClient()
  server = 'lost'
  for (const order of ['o-1', 'o-2']) sendMessage(client, order, { text: `about ${order}` })
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(stored()).toContain('about o-2')
  server = 'up'
  // As after a reload: the queues are read from the storage.
  clearSession()
  signIn('t1', 'u1')
  flushAll(client)
  await vi.waitFor(() => expect(sent).toHaveLength(4))
  expect(sent.slice(2).map(({ order }) => order)).toEqual(['o-1', 'o-2'])
  await vi.waitFor(() => expect(stored()).not.toContain('about'))
})

test('logging out removes what was not sent', async () => {
  const client = new QueryClient()
  server = 'lost'
  sendMessage(client, 'o-1', { text: 'confidential' })
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  clearSession()
  removeOwn('u1')
  expect(stored()).not.toContain('confidential')
  signIn('t2', 'u1')
  expect(queue('o-1')).toEqual([])
})
