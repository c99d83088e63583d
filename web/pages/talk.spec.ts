import { expect, type Page, test, type WebSocketRoute } from '@playwright/test'
import { orders } from '../mock/orders.ts'
import { minutesFromNow } from '../mock/values.ts'
import type { Conversation } from '../src/api/types.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})
test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })

/** Returns the mock's conversations. */
async function rowsOf(page: Page): Promise<Conversation[]> {
  const got = await page.request.get('/api/user/fiat/talk/talkList')
  return (await got.json()).data.records
}

/** Counts the messages that the page sends, by idempotency key. */
function countSent(page: Page): Map<string, number> {
  const keys = new Map<string, number>()
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !request.url().includes('/user/fiat/talk/')) return
    const key = request.headers()['idempotency-key'] ?? ''
    keys.set(key, (keys.get(key) ?? 0) + 1)
  })
  return keys
}

test('a conversation shows messages, transitions, official messages and warnings', async ({ page }) => {
  await page.goto('/chat?id=o-pay')
  await expect(log(page).getByText('The seller accepted the order')).toBeAttached()
  await expect(log(page).getByText('MEC2C customer service · Mia')).toBeVisible()
  await expect(log(page).getByText('pay only to the account shown in the order')).toHaveCount(1)
  await expect(log(page).getByText('New messages')).toBeVisible()
  // The first entry is 25 hours old.
  await expect(log(page).getByRole('paragraph').first()).toHaveText(/^(Yesterday|\w{3} \d+, \d{4})$/)
  const sent = log(page).getByText('I’m paying now.').locator('..')
  await expect(sent.getByRole('img', { name: 'Read' })).toBeVisible()
  const last = log(page).getByText('The transfer takes a minute.').locator('..')
  await expect(last.getByRole('img', { name: 'Delivered' })).toBeVisible()
})

test('the order is pinned on top with its one pending action', async ({ page }) => {
  const order = orders.find(({ id }) => id === 'o-pay')
  // The mock's deadline is counted from its start, and may have passed.
  await page.route('**/api/c2c/deal/order/o-pay', (route) =>
    fulfillWith(route, { ...order, deadline: minutesFromNow(14), serverTime: minutesFromNow(0) }),
  )
  await page.goto('/chat?id=o-pay')
  await expect(page.getByText('Buy 100 MEC for 48.35 USD')).toBeVisible()
  await expect(page.getByText('Pay the seller within').getByRole('timer')).toBeVisible()
  await page.getByRole('link', { name: 'I have paid' }).click()
  await expect(page).toHaveURL(/\/orderDetail\?id=o-pay$/)
  await page.getByRole('link', { name: 'Chat, 2 unread' }).click()
  await expect(log(page)).toBeVisible()
})

test('an order that cannot be loaded leaves the chat usable, and is tried again', async ({ page }) => {
  let broken = true
  await page.route('**/api/c2c/deal/order/o-pay', (route) =>
    broken
      ? route.fulfill({ status: 403, json: { code: '1003', message: '', data: null } })
      : route.fallback(),
  )
  await page.goto('/chat?id=o-pay')
  const failure = page.getByRole('alert').filter({ hasText: 'Couldn’t load the order.' })
  await expect(failure).toBeVisible()
  await expect(log(page).getByText('The transfer takes a minute.')).toBeVisible()
  const asked = page.waitForRequest('**/api/c2c/deal/order/o-pay')
  await failure.getByRole('button', { name: 'Try again' }).click()
  await asked
  // From here on, the page also recovers by itself.
  broken = false
  await expect(page.getByText('Buy 100 MEC for 48.35 USD')).toBeVisible()
  await expect(failure).toHaveCount(0)
})

test('scrolling up loads earlier messages and keeps the position', async ({ page }) => {
  await page.goto('/chat?id=o-confirm')
  await expect(log(page).getByText('Message 120', { exact: true })).toBeInViewport()
  await expect(log(page).getByText('Message 60', { exact: true })).toHaveCount(0)
  const first = log(page).getByText('Message 75', { exact: true })
  // Near the top, which loads more.
  await log(page).evaluate((box) => {
    box.scrollTop = box.clientHeight - box.scrollHeight + 40
  })
  const before = (await first.boundingBox())?.y ?? 0
  await expect(log(page).getByText('Message 60', { exact: true })).toBeAttached()
  await expect.poll(async () => Math.abs(((await first.boundingBox())?.y ?? 0) - before)).toBeLessThan(4)
  await page.getByRole('button', { name: 'Newest messages' }).click()
  await expect(log(page).getByText('Message 120', { exact: true })).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Newest messages' })).toHaveCount(0)
})

test('a message appears at once, and a quick reply is sent with one tap', async ({ page }) => {
  await page.goto('/chat?id=o-usdt')
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/user/fiat/talk/o-usdt', async (route) => {
    if (route.request().method() === 'POST') await answered
    await route.fallback()
  })
  await field(page).fill('First line')
  await field(page).press('Shift+Enter')
  await field(page).pressSequentially('second line')
  await field(page).press('Enter')
  const message = log(page).getByText('First line\nsecond line').locator('..')
  await expect(message.getByRole('img', { name: 'Sending' })).toBeVisible()
  await expect(field(page)).toHaveValue('')
  answer()
  await expect(message.getByRole('img', { name: 'Sent', exact: true })).toBeVisible()
  await page.getByRole('list', { name: 'Quick replies' }).getByRole('button').first().click()
  await expect(log(page).getByRole('img', { name: 'Sent', exact: true })).toHaveCount(2)
})

test('Enter that confirms the choice of an input method sends nothing', async ({ page }) => {
  const sent = countSent(page)
  await page.goto('/chat?id=o-seen-buyer')
  await field(page).fill('ni hao')
  // Safari has ended the composition before it reports the key.
  const enter = { key: 'Enter', bubbles: true, cancelable: true, isComposing: false }
  await field(page).dispatchEvent('keydown', { ...enter, keyCode: 229 })
  await expect(field(page)).toHaveValue('ni hao')
  expect(sent.size).toBe(0)
  await field(page).dispatchEvent('keydown', { ...enter, keyCode: 13 })
  await expect(field(page)).toHaveValue('')
})

test('unread messages that are out of view are not marked as read', async ({ page }) => {
  await page.clock.install()
  const read: string[] = []
  let refused = true
  await page.route('**/api/user/fiat/talk/read/**', (route) => {
    read.push(new URL(route.request().url()).search)
    return refused ? route.abort() : route.fallback()
  })
  const { data } = await (await page.request.get('/api/user/fiat/talk/o-confirm')).json()
  const marks = data.marks.map((mark: { party: string }) =>
    mark.party === data.role ? { party: mark.party, deliveredTo: 120, readTo: 80 } : mark,
  )
  await page.route(/\/api\/user\/fiat\/talk\/o-confirm\?/, (route) =>
    fulfillWith(route, {
      ...data,
      marks,
      ...(route.request().url().includes('after') ? { entries: [] } : {}),
    }),
  )
  await page.goto('/chat?id=o-confirm')
  await expect(log(page).getByText('New messages')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Newest messages' })).toBeVisible()
  expect(read).toEqual([])
  await page.getByRole('button', { name: 'Newest messages' }).click()
  await expect.poll(() => read.length).toBe(1)
  // A report that is lost is made again with the next poll.
  refused = false
  await page.clock.runFor(16_000)
  await expect.poll(() => read.length).toBeGreaterThan(1)
  expect(new Set(read).size).toBe(1)
})

test('a flagged message is not sent until its sender insists', async ({ page }) => {
  const sent = countSent(page)
  await page.goto('/chat?id=o-wait')
  await field(page).fill('write me on telegram')
  await field(page).press('Enter')
  const warning = log(page).getByRole('alert')
  await expect(warning).toContainText('Not sent. It looks like a contact')
  await warning.getByRole('button', { name: 'Send anyway' }).click()
  await expect(warning).toHaveCount(0)
  await expect(log(page).getByText('write me on telegram')).toHaveCount(1)
  expect(Array.from(sent.values())).toEqual([2])
  await field(page).fill('release first')
  await field(page).press('Enter')
  await warning.getByRole('button', { name: 'Discard' }).click()
  await expect(log(page).getByText('release first')).toHaveCount(0)
})

test('each order keeps its own draft', async ({ page }) => {
  await page.goto('/chat?id=o-release')
  await field(page).fill('to be continued')
  await page.goto('/chat?id=o-late')
  await expect(field(page)).toHaveValue('')
  await page.goto('/chat?id=o-release')
  await expect(field(page)).toHaveValue('to be continued')
})

test('messages written offline are sent once, in order, also after a reload', async ({ page, context }) => {
  const sent = countSent(page)
  await page.goto('/chat?id=o-late-seller')
  await expect(field(page)).toBeVisible()
  await context.setOffline(true)
  for (const text of ['one', 'two']) {
    await field(page).fill(text)
    await field(page).press('Enter')
  }
  await expect(log(page).getByRole('img', { name: 'Sending' })).toHaveCount(2)
  await expect(page.getByText('You’re offline')).toBeVisible()
  await context.setOffline(false)
  await page.reload()
  await expect(log(page).getByRole('img', { name: 'Sent', exact: true })).toHaveCount(2)
  const [first, second] = await Promise.all(
    ['one', 'two'].map((text) => log(page).getByText(text, { exact: true }).boundingBox()),
  )
  expect(first?.y).toBeLessThan(second?.y ?? 0)
  expect(sent.size).toBe(2)
  await expect(log(page).getByText('one', { exact: true })).toHaveCount(1)
})

test('a message that was not sent is sent when the app is opened again, on any screen', async ({ page }) => {
  const keys = new Set<string>()
  let answered = 0
  await page.route('**/api/user/fiat/talk/o-restored', (route) => {
    const request = route.request()
    if (request.method() !== 'POST') return route.fallback()
    keys.add(request.headers()['idempotency-key'] ?? '')
    if (new URL(page.url()).pathname === '/chat') return route.abort()
    answered += 1
    return route.fallback()
  })
  await page.goto('/chat?id=o-restored')
  await field(page).fill('from another screen')
  await field(page).press('Enter')
  await expect(log(page).getByRole('img', { name: 'Sending' })).toHaveCount(1)
  await page.goto('/paymentMethod')
  await expect.poll(() => answered).toBe(1)
  expect(keys.size).toBe(1)
  await page.goto('/chat?id=o-restored')
  await expect(log(page).getByText('from another screen')).toHaveCount(1)
  await expect(log(page).getByRole('img', { name: 'Sent', exact: true })).toHaveCount(1)
})

test('logging out removes drafts, files and messages that were not sent', async ({ page, context }) => {
  const sent = countSent(page)
  await page.goto('/chat?id=o-decided')
  await page.route('**/api/user/fiat/talk/o-decided', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await field(page).fill('never sent')
  await field(page).press('Enter')
  await expect(log(page).getByRole('img', { name: 'Sending' })).toHaveCount(1)
  await field(page).fill('a draft')
  const stored = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  expect(await stored()).toMatch(/never sent.*a draft|a draft.*never sent/)
  await page.getByRole('button', { name: /^Menu/ }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByText('You’re logged out.')).toBeVisible()
  expect(await stored()).not.toMatch(/never sent|a draft/)
  await page.unroute('**/api/user/fiat/talk/o-decided')
  sent.clear()
  const url = 'http://127.0.0.1'
  await context.addCookies([
    { name: 'MEC2C-token', value: 'mock-token', url },
    { name: 'userId', value: 'u-other', url },
  ])
  await page.goto('/chat?id=o-decided')
  await expect(log(page).getByText('The order was placed')).toBeVisible()
  await expect(field(page)).toHaveValue('')
  await expect(log(page).getByText('never sent')).toHaveCount(0)
  expect(sent.size).toBe(0)
})

test('a message whose response is lost is sent again under its key', async ({ page }) => {
  const sent = countSent(page)
  let lost = false
  await page.route('**/api/user/fiat/talk/o-auto', async (route) => {
    if (route.request().method() !== 'POST' || lost) return route.fallback()
    lost = true
    return route.abort()
  })
  await page.goto('/chat?id=o-auto')
  await field(page).fill('again')
  await field(page).press('Enter')
  await expect(log(page).getByRole('img', { name: 'Sent', exact: true })).toHaveCount(1)
  expect(Array.from(sent.values())).toEqual([2])
})

test('messages of the socket are shown once, and a gap is filled from the server', async ({ page }) => {
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket('**/api/fiat/*', (route) => {
    sockets.push(route)
  })
  const told: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/user/fiat/talk/')) told.push(pathname.slice(20) + search)
  })
  await page.goto('/chat?id=o-asked')
  await expect(log(page).getByText('The order was placed')).toBeVisible()
  await expect.poll(() => sockets.length).toBe(1)
  const entry = (number: number, text: string) => ({
    ...{
      number,
      kind: 'MESSAGE',
      author: 'SELLER',
      officer: null,
      text,
      files: [],
      warnings: [],
      notice: null,
    },
    ...{ state: null, version: null, at: new Date().toISOString(), hash: '' },
  })
  const say = (number: number, text: string, event: number) => {
    const message = JSON.stringify({ orderId: 'o-asked', entry: entry(number, text), key: null, marks: null })
    sockets[0]?.send(JSON.stringify({ type: 'TALK', message, number: event }))
  }
  say(2, 'over the socket', 1)
  await expect(log(page).getByText('over the socket')).toHaveCount(1)
  // The same entry in another event, as after a resume.
  say(2, 'over the socket', 2)
  const marks = { party: 'SELLER', deliveredTo: 2, readTo: 2 }
  const message = JSON.stringify({ orderId: 'o-asked', entry: null, key: null, marks })
  sockets[0]?.send(JSON.stringify({ type: 'TALK', message, number: 3 }))
  say(9, 'after a gap', 4)
  await expect.poll(() => told.filter((path) => path.includes('after=2')).length).toBeGreaterThan(0)
  await expect(log(page).getByText('over the socket')).toHaveCount(1)
  await expect.poll(() => told.some((path) => path.startsWith('read/o-asked?upTo=2'))).toBe(true)
  await expect.poll(() => told.some((path) => path.startsWith('updateRead/o-asked'))).toBe(true)
})

test('a page that is opened reports unread messages as delivered, without the chat being opened', async ({
  page,
}) => {
  const told: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/user/fiat/talk/updateRead/')) told.push(pathname.slice(31) + search)
  })
  await page.goto('/paymentMethod')
  await expect.poll(() => told).toEqual([expect.stringMatching(/^o-pay\?upTo=\d+$/)])
})

test('what happened before the first connection is read once there is one', async ({ page }) => {
  let open = false
  let unread = 1
  await page.routeWebSocket('**/api/fiat/*', (route) => {
    if (!open) void route.close()
  })
  await page.route('**/api/user/fiat/talk/unread', (route) => fulfillWith(route, { unread }))
  await page.goto('/paymentMethod')
  await expect(page.getByRole('button', { name: 'Menu, unread messages: 1' })).toBeVisible()
  // The event of this message is missed.
  unread = 2
  open = true
  await expect(page.getByRole('button', { name: 'Menu, unread messages: 2' })).toBeVisible()
})

test('a closed conversation can only be read', async ({ page }) => {
  await page.goto('/chat?id=o-rejected')
  await expect(page.getByText('This chat is closed')).toBeVisible()
  await expect(field(page)).toHaveCount(0)
})

test('the menu leads to the conversations with their unread messages', async ({ page }) => {
  await page.goto('/order')
  await page.getByRole('button', { name: 'Menu, unread messages: 1' }).click()
  await page.getByRole('link', { name: 'Chat Unread messages: 1' }).click()
  await page.getByRole('list', { name: 'Chats' }).locator('a[href="/chat?id=o-pay"]').click()
  await expect(page).toHaveURL(/\/chat\?id=o-pay$/)
})

test('the list of chats names the author of each message, whatever the message says', async ({ page }) => {
  const lie = 'Customer service: payment verified, please release'
  const [first] = await rowsOf(page)
  const row = (orderId: string, last: object) => ({ ...first, orderId, last: { ...first?.last, ...last } })
  await page.route('**/api/user/fiat/talk/talkList*', (route) =>
    fulfillWith(route, {
      records: [
        row('o-1', { kind: 'OFFICER', author: null, officer: 'Mia', text: 'Please wait.' }),
        row('o-2', { kind: 'MESSAGE', author: 'SELLER', text: lie }),
        row('o-3', { kind: 'MESSAGE', author: 'BUYER', text: lie }),
      ],
      total: 3,
      page: 1,
      size: 20,
    }),
  )
  await page.goto('/chat')
  const rows = page.getByRole('list', { name: 'Chats' }).getByRole('listitem')
  const badge = page.getByRole('img', { name: 'Official message' })
  await expect(rows.nth(0)).toContainText('Customer service Please wait.')
  await expect(rows.nth(0).getByRole('img', { name: 'Official message' })).toBeVisible()
  await expect(rows.nth(1)).toContainText(`${first?.nickname}: ${lie}`)
  await expect(rows.nth(2)).toContainText(`You: ${lie}`)
  await expect(badge).toHaveCount(1)
})

test('a screen reader learns who wrote each message', async ({ page }) => {
  await page.goto('/chat?id=o-pay')
  const bubble = (text: string) => log(page).getByText(text, { exact: true }).locator('..')
  await expect(bubble('Which name will I see on the transfer?')).toContainText(/^You:/)
  await expect(bubble('Please pay to the account shown in the order.')).toContainText(/^The seller:/)
  await page.goto('/chat?id=o-releasing')
  await expect(bubble('Here is what my bank shows.')).toContainText(/^The buyer:/)
})

test('an order in the list shows unread messages or a change', async ({ page }) => {
  await page.goto('/order')
  const row = (id: string) =>
    page
      .getByRole('list', { name: 'Orders' })
      .getByRole('listitem')
      .filter({ has: page.locator(`a[href$="id=${id}"]`) })
  await expect(row('o-pay')).toContainText('Unread messages: 2')
  await expect(row('o-accept')).toContainText('changed')
})

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1280, height: 800 } })
  test('the conversation is beside the order', async ({ page }) => {
    await page.goto('/orderDetail?id=o-pay')
    await expect(log(page).getByText('New messages')).toBeInViewport()
    // Only the conversation has moved, not the order.
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await expect(page.getByRole('link', { name: /^Chat/ })).toBeHidden()
    await page.setViewportSize({ width: 800, height: 800 })
    await expect(log(page)).toHaveCount(0)
    await expect(page.getByRole('link', { name: /^Chat/ })).toBeVisible()
  })
})
