import { expect, type Page, test } from '@playwright/test'
import { expectToBeAccessible } from './expectToBeAccessible.ts'
import { signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

interface Browser {
  permission: NotificationPermission
  /** What the user answers. */
  answer?: NotificationPermission
  /** Whether a page can show notifications without a worker. */
  constructible?: boolean
  worker?: boolean
}

/** Makes the browser one whose user has decided so about notifications. */
async function browserWith(page: Page, browser: Browser): Promise<void> {
  await page.addInitScript(({ permission, answer, constructible, worker }) => {
    class Fake extends EventTarget {
      static permission = permission
      static async requestPermission() {
        Fake.permission = answer ?? permission
        return Fake.permission
      }
      constructor() {
        super()
        if (constructible === false) throw new TypeError('Illegal constructor')
      }
      close() {}
    }
    Object.defineProperty(window, 'Notification', { configurable: true, value: Fake })
    if (worker === false) {
      navigator.serviceWorker.register = () => Promise.reject(new TypeError('no workers here'))
    }
  }, browser)
}

const allow = (page: Page) => page.getByRole('button', { name: 'Allow notifications' })
const BLOCKED = 'Your browser blocks notifications of this page. You can allow them in its settings.'
const NONE = 'Your browser shows no notifications.'

/** Waits for the settings, which say everything at once. */
async function settingsOf(page: Page): Promise<void> {
  await page.goto('/notificationSettings')
  await expect(page.getByRole('switch', { name: 'Account: Browser' })).toBeVisible()
}

test('who has not decided is asked, and an answer installs the worker that shows notifications', async ({
  page,
}) => {
  await browserWith(page, { permission: 'default', answer: 'granted', constructible: false })
  await settingsOf(page)
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  await expectToBeAccessible(page, 'notifications that may be allowed')
  await allow(page).click()
  await expect(allow(page)).toHaveCount(0)
  await expect(page.getByText(NONE)).toHaveCount(0)
  const script = await page.evaluate(
    async () => (await navigator.serviceWorker.ready).active?.scriptURL ?? '',
  )
  expect(new URL(script).pathname).toBe('/notifications.js')
  // The worker stores nothing.
  expect(await page.evaluate(() => caches.keys())).toEqual([])
})

test('who refuses is told how to change that', async ({ page }) => {
  await browserWith(page, { permission: 'default', answer: 'denied' })
  await settingsOf(page)
  await allow(page).click()
  await expect(page.getByText(BLOCKED)).toBeVisible()
  await expect(allow(page)).toHaveCount(0)
})

test('who refused before is told so, and is not asked', async ({ page }) => {
  await browserWith(page, { permission: 'denied' })
  await settingsOf(page)
  await expect(page.getByText(BLOCKED)).toBeVisible()
  await expect(allow(page)).toHaveCount(0)
  await expectToBeAccessible(page, 'blocked notifications')
})

test('who has allowed them is asked nothing', async ({ page }) => {
  await browserWith(page, { permission: 'granted' })
  await settingsOf(page)
  await expect(page.getByText(BLOCKED)).toHaveCount(0)
  await expect(page.getByText(NONE)).toHaveCount(0)
  await expect(allow(page)).toHaveCount(0)
})

test('a browser without notifications says so', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'Notification'))
  await settingsOf(page)
  await expect(page.getByText(NONE)).toBeVisible()
  await expect(allow(page)).toHaveCount(0)
})

test('so does one in which neither the page nor a worker can show them', async ({ page }) => {
  await browserWith(page, { permission: 'default', answer: 'granted', constructible: false, worker: false })
  await settingsOf(page)
  await allow(page).click()
  await expect(page.getByText(NONE)).toBeVisible()
})

test('a page that can show them itself needs no worker', async ({ page }) => {
  await browserWith(page, { permission: 'default', answer: 'granted', worker: false })
  await settingsOf(page)
  await allow(page).click()
  await expect(allow(page)).toHaveCount(0)
  await expect(page.getByText(NONE)).toHaveCount(0)
})

/** Opens the orders in a browser whose user has allowed notifications, and returns how the server tells of something new. */
async function listening(page: Page): Promise<{ tell: () => void; shown: () => Promise<string[]> }> {
  await page.addInitScript(() => {
    const shown: string[] = []
    Object.assign(window, { shown })
    Object.defineProperty(window, 'Notification', { value: { permission: 'granted' } })
    Object.defineProperty(navigator, 'serviceWorker', {
      value: {
        register: async () => ({}),
        ready: Promise.resolve({
          showNotification: async (title: string, { body, data }: NotificationOptions) => {
            shown.push(`${title}: ${body} ${data.path}`)
          },
        }),
      },
    })
  })
  let say: (text: string) => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    void page.routeWebSocket(/\/api\/fiat\//, (socket) => {
      say = (text) => socket.send(text)
      resolve()
    })
  })
  await page.goto('/order')
  await opened
  let number = 0
  return {
    tell: () => {
      number += 1
      say(JSON.stringify({ type: 'ORDER_STATUS_CHANGE', message: '1', number }))
    },
    shown: () => page.evaluate((): string[] => Reflect.get(window, 'shown')),
  }
}

test('what happens is shown while the page is in the background, and not while it is in view', async ({
  page,
}) => {
  await page.route('**/user/notification/page*', async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('unread=true', '') })
    return route.fulfill({ response })
  })
  const server = await listening(page)
  const again = page.waitForRequest('**/user/notification/unRead')
  server.tell()
  await again
  expect(await server.shown()).toEqual([])
  await page.evaluate(() =>
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' }),
  )
  server.tell()
  await expect
    .poll(server.shown)
    .toEqual(['MEC2C: The buyer marked the order as paid /orderDetail?id=o-paid'])
})
