import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NotificationPreference, Notification as Told } from '@/api/types'
import { clearSession, signIn } from '@/session/session'
import showInBrowser from './browserNotifications'

interface Shown {
  body: string
  tag: string
  click: () => void
}

let shown: Shown[] = []
let list: Told[] = []
let enabled: Record<string, boolean> = {}
let visibility: DocumentVisibilityState = 'hidden'
/** What happens while the server answers. */
let meanwhile = () => {}

function told(number: number, change: Partial<Told> = {}): Told {
  return {
    number,
    at: '2026-01-01T00:00:00Z',
    category: 'NEW_ORDER',
    unread: true,
    orderId: `o-${number}`,
    advertId: null,
    notice: 'NEW_ORDER',
    reader: 'SELLER',
    author: 'BUYER',
    certified: null,
    accountChange: null,
    traded: null,
    withdrawal: false,
    ...change,
  }
}

/** Shows notifications as browsers of desktops do. */
class OfPage extends EventTarget {
  constructor(_title: string, { body = '', tag = '' }: NotificationOptions) {
    super()
    shown.push({ body, tag, click: () => void this.dispatchEvent(new Event('click')) })
  }
}

function preferences(): NotificationPreference[] {
  return (['NEW_ORDER', 'ORDER_PROGRESS', 'ACCOUNT'] as const).flatMap((category) => [
    { category, channel: 'EMAIL' as const, enabled: true, optional: true },
    { category, channel: 'BROWSER' as const, enabled: enabled[category] !== false, optional: true },
  ])
}

/** Each test has its own user, because what was shown to a user is remembered. */
let user = 0
const me = () => `u-${user}`
const client = () => new QueryClient()
const texts = () => shown.map(({ body }) => body)

beforeEach(() => {
  shown = []
  list = []
  enabled = {}
  visibility = 'hidden'
  meanwhile = () => {}
  user += 1
  signIn('token', me())
  vi.stubGlobal('Notification', OfPage)
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url)
    const isPage = pathname.endsWith('/user/notification/page')
    if (isPage) expect(searchParams.get('unread')).toBe('true')
    meanwhile()
    const data = isPage ? { list, next: null } : preferences()
    return new Response(JSON.stringify({ code: '200', message: '', data }))
  })
})

afterEach(() => {
  clearSession()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

test('each notification is shown once, and at first only the newest one', async () => {
  list = [told(7), told(6)]
  await showInBrowser(client(), me())
  await showInBrowser(client(), me())
  expect(texts()).toEqual(['Someone ordered from your ad'])
  expect(shown[0]?.tag).toBe(`mec2c ${me()} 7`)
  list = [told(9), told(8), ...list]
  await showInBrowser(client(), me())
  expect(shown.map(({ tag }) => tag)).toEqual([7, 9, 8].map((number) => `mec2c ${me()} ${number}`))
})

test('only wanted categories are shown, and those that were not wanted are not shown later', async () => {
  enabled = { ORDER_PROGRESS: false }
  list = [told(3)]
  await showInBrowser(client(), me())
  list = [told(5, { category: 'ORDER_PROGRESS', notice: 'ORDER_COMPLETED' }), told(4), ...list]
  await showInBrowser(client(), me())
  expect(shown.map(({ tag }) => tag)).toEqual([3, 4].map((number) => `mec2c ${me()} ${number}`))
  enabled = {}
  await showInBrowser(client(), me())
  expect(shown).toHaveLength(2)
})

test('nothing is shown to a user who has come back, not even later', async () => {
  list = [told(3)]
  meanwhile = () => {
    visibility = 'visible'
  }
  await showInBrowser(client(), me())
  meanwhile = () => {}
  visibility = 'hidden'
  await showInBrowser(client(), me())
  expect(shown).toEqual([])
})

test('nothing is shown if nothing is unread', async () => {
  await showInBrowser(client(), me())
  expect(shown).toEqual([])
})

test('another user starts anew', async () => {
  list = [told(30)]
  await showInBrowser(client(), me())
  user += 1
  signIn('token', me())
  list = [told(2), told(1)]
  await showInBrowser(client(), me())
  expect(shown.map(({ tag }) => tag)).toEqual([`mec2c u-${user - 1} 30`, `mec2c ${me()} 2`])
})

test('a tap leads to the order, or else to the list', async () => {
  const went: string[] = []
  const { href, origin } = location
  vi.stubGlobal('location', { href, origin, assign: (path: string) => went.push(path) })
  vi.spyOn(window, 'focus').mockImplementation(() => {})
  list = [told(1)]
  await showInBrowser(client(), me())
  list = [told(2, { category: 'ACCOUNT', orderId: null, certified: true, notice: null }), ...list]
  await showInBrowser(client(), me())
  for (const one of shown) one.click()
  expect(went).toEqual(['/orderDetail?id=o-1', '/notifications'])
  expect(window.focus).toHaveBeenCalledTimes(2)
})

/** A browser whose pages have a worker, which shows notifications unless it is broken. */
function haveWorker(works: boolean): unknown[] {
  const byWorker: unknown[] = []
  const registration = {
    showNotification: async (title: string, options: NotificationOptions) => byWorker.push([title, options]),
  }
  const register = works ? async () => registration : async () => Promise.reject(new Error('no worker'))
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { register, ready: Promise.resolve(registration) },
  })
  return byWorker
}

test('the worker shows it where there is one, as Android requires', async () => {
  vi.stubGlobal('Notification', () => {
    throw new TypeError('Illegal constructor')
  })
  const byWorker = haveWorker(true)
  list = [told(1)]
  await showInBrowser(client(), me())
  expect(byWorker).toEqual([
    [
      'MEC2C',
      {
        body: 'Someone ordered from your ad',
        tag: `mec2c ${me()} 1`,
        data: { path: '/orderDetail?id=o-1' },
      },
    ],
  ])
})

test('the page shows it if the worker cannot be installed', async () => {
  const byWorker = haveWorker(false)
  list = [told(1)]
  await showInBrowser(client(), me())
  expect([byWorker.length, shown.length]).toEqual([0, 1])
})
