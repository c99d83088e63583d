import { expect, type Page, test } from '@playwright/test'
import { orders } from '../mock/orders.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** Announces orders over the socket; the mock server then returns them as announced. */
async function announcing(page: Page) {
  const known = new Map<string, object>()
  let say: (text: string) => void = () => undefined
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  // A page that opens before the route is set has a socket of its own until it is left.
  await page.routeWebSocket(/\/api\/fiat\//, (socket) => {
    say = (text) => socket.send(text)
    open()
  })
  await page.route('**/api/c2c/deal/order/new-*', (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    return fulfillWith(route, known.get(id))
  })
  let number = 0
  const tell = (type: string, message: string) => {
    number += 1
    say(JSON.stringify({ type, message, number }))
  }
  const has = (id: string, change: object) => {
    const like = orders.find((one) => one.id === 'o-accept')
    known.set(id, { ...like, id, serverTime: new Date().toISOString(), ...change })
  }
  return {
    ready: opened,
    has,
    announces: (id: string, change: object) => {
      has(id, change)
      tell('NEW_ORDER', id)
    },
    changes: (id: string, change: object) => {
      has(id, change)
      tell('ORDER_STATUS_CHANGE', '1')
    },
  }
}

test('a new order is announced above the page title until it no longer needs acceptance', async ({
  page,
}) => {
  const server = await announcing(page)
  await page.goto('/orderDetail?id=o-pay')
  const title = page.getByRole('heading', { name: /^Pay the seller within/ })
  await expect(title).toBeVisible()
  await server.ready
  server.announces('new-1', { quantity: '60', deadline: soon(5) })
  const banner = page.getByRole('alert').filter({ hasText: 'You have a new order' })
  await expect(banner).toContainText('60 MEC')
  const edges = async () => {
    const [above, below] = await Promise.all([banner.boundingBox(), title.boundingBox()])
    return { foot: (above?.y ?? 0) + (above?.height ?? 0), top: below?.y ?? 0 }
  }
  const { foot, top } = await edges()
  expect(foot, 'it covers no title').toBeLessThanOrEqual(top)
  // The order is accepted in another tab.
  server.changes('new-1', { state: 'AWAITING_PAYMENT', actions: [] })
  await expect(banner).toHaveCount(0)
})

test('the most urgent of several orders is announced first, and the next one after it is opened', async ({
  page,
}) => {
  const server = await announcing(page)
  await page.goto('/order')
  await server.ready
  server.announces('new-1', { quantity: '60', deadline: soon(5) })
  const banner = page.getByRole('alert').filter({ hasText: 'You have a new order' })
  await expect(banner).toContainText('60 MEC')
  server.announces('new-2', { quantity: '7', deadline: soon(3) })
  await expect(banner).toContainText('7 MEC')
  await expect(banner).toContainText('1 more waiting')
  await banner.getByRole('button', { name: 'Open' }).click()
  await expect(page).toHaveURL(/\/orderDetail\?id=new-2$/)
  await expect(banner).toContainText('60 MEC')
  await expect(banner).not.toContainText('more waiting')
  await banner.getByRole('button', { name: 'Dismiss this notice' }).click()
  await expect(banner).toHaveCount(0)
})

test('an order that needs no acceptance is not announced', async ({ page }) => {
  const server = await announcing(page)
  await page.goto('/order')
  await server.ready
  server.announces('new-1', { quantity: '60', kind: 'AUTOMATIC', state: 'AWAITING_PAYMENT' })
  server.announces('new-2', { quantity: '7', deadline: soon(3) })
  const banner = page.getByRole('alert').filter({ hasText: 'You have a new order' })
  await expect(banner).toContainText('7 MEC')
  await expect(banner).not.toContainText('more waiting')
})
