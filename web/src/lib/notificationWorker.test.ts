import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { beforeEach, expect, test } from 'vitest'

const ORIGIN = 'https://mec2c.example'
const SCRIPT = readFileSync(resolve(import.meta.dirname, '../../public/notifications.js'), 'utf8')

type Listener = (event: unknown) => void

/** What the worker did, such as `focus /order`. */
let did: string[] = []
let closed = 0
let listeners: Map<string, Listener>

/** A window at a path. Browsers refuse to lead one that another worker controls. */
function windowAt(path: string, refuses = false) {
  const one = {
    url: ORIGIN + path,
    focus: async () => {
      did.push(`focus ${path}`)
      return one
    },
    navigate: async (url: URL) => {
      if (refuses) throw new TypeError('not controlled')
      did.push(`navigate ${path} to ${url.href.replace(ORIGIN, '')}`)
      return one
    },
  }
  return one
}

/** Runs the worker among windows, and taps a notification that leads to a path. */
async function tap(path: unknown, windows: ReturnType<typeof windowAt>[]): Promise<void> {
  listeners = new Map()
  const clients = {
    matchAll: async ({ type }: { type: string }) => (type === 'window' ? windows : []),
    openWindow: async (url: URL) => void did.push(`open ${url.href.replace(ORIGIN, '')}`),
    claim: async () => {},
  }
  runInNewContext(SCRIPT, {
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    skipWaiting: async () => {},
    clients,
    location: { origin: ORIGIN },
    URL,
  })
  const waits: Promise<unknown>[] = []
  listeners.get('notificationclick')?.({
    notification: {
      data: { path },
      close: () => {
        closed += 1
      },
    },
    waitUntil: (promise: Promise<unknown>) => waits.push(promise),
  })
  expect(waits).toHaveLength(1)
  await Promise.all(waits)
}

beforeEach(() => {
  did = []
  closed = 0
})

test('a tap closes the notification, and opens a window if there is none', async () => {
  await tap('/orderDetail?id=o-1', [])
  expect(did).toEqual(['open /orderDetail?id=o-1'])
  expect(closed).toBe(1)
})

test('an open window is focused, and led to what the notification is about', async () => {
  await tap('/orderDetail?id=o-1', [windowAt('/order'), windowAt('/')])
  expect(did).toEqual(['focus /order', 'navigate /order to /orderDetail?id=o-1'])
})

test('a window that shows it already only comes to the front', async () => {
  await tap('/notifications', [windowAt('/order'), windowAt('/notifications')])
  expect(did).toEqual(['focus /notifications'])
})

test('the console of officers keeps its windows', async () => {
  await tap('/notifications', [windowAt('/console'), windowAt('/console/appeals')])
  expect(did).toEqual(['open /notifications'])
})

test('a window that cannot be led is left, and another one opens', async () => {
  await tap('/notifications', [windowAt('/order', true)])
  expect(did).toEqual(['focus /order', 'open /notifications'])
})

test('nothing leads to another site', async () => {
  for (const path of ['https://evil.example/', '//evil.example/', 'data:text/html,x']) {
    await tap(path, [windowAt('/order')])
  }
  expect(did).toEqual([])
})

test('it answers no requests, so that it caches nothing', async () => {
  await tap(undefined, [])
  expect(Array.from(listeners.keys()).toSorted()).toEqual(['activate', 'install', 'notificationclick'])
})
