import { expect, type Page, test } from '@playwright/test'
import type { Notification } from '../src/api/types.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

/** Keeps this visitor's mark, which the mock shares with all others. Returns what the page reports as read. */
async function keepMark(page: Page): Promise<string[]> {
  const reports: string[] = []
  let read = 30
  await page.route('**/user/notification/read', async (route) => {
    reports.push(route.request().postData() ?? '')
    read = route.request().postDataJSON().upTo
    await route.continue()
  })
  await page.route('**/user/notification/unRead', (route) =>
    route.fulfill({ json: { code: '200', message: '', data: { count: read < 41 ? 2 : 0 } } }),
  )
  await page.route('**/user/notification/page*', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    for (const one of json.data.list) one.unread = one.number > read
    await route.fulfill({ response, json })
  })
  return reports
}

test('what others did is listed, and marked as read once it was seen', async ({ page }) => {
  const reports = await keepMark(page)
  await page.goto('/')
  const bell = page.getByRole('link', { name: /^Notifications/ })
  await expect(bell).toHaveAccessibleName('Notifications, unread: 2')
  await bell.click()
  const list = page.getByRole('list', { name: 'Notifications' })
  await expect(list.getByRole('listitem').first()).toContainText(
    /The buyer marked the order as paid500 MEC · 245 USD/,
  )
  await expect(list.getByRole('img', { name: 'Unread' })).toHaveCount(2)
  await expect(bell).toHaveAccessibleName('Notifications')
  await expect(list.getByRole('img', { name: 'Unread' })).toHaveCount(2)
  await page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'Security' }).click()
  await expect(page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')).toHaveText(
    /Your email address was changed/,
  )
  await page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'Unread' }).click()
  await expect(page.getByText('No notifications')).toBeVisible()
  await page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'All' }).click()
  await page.getByRole('list', { name: 'Notifications' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/orderDetail\?id=/)
  const once = '{"upTo":41}'
  expect(reports, 'once for each visit of the complete list').toEqual([once, once])
})

test('channels are turned on and off, except emails about security', async ({ page }) => {
  await page.goto('/notificationSettings')
  const progress = page.getByRole('switch', { name: 'Order progress: Email' })
  await expect(progress).not.toBeChecked()
  await progress.click()
  await expect(progress).toBeChecked()
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Order progress: Browser' })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Security: Email' })).toHaveCount(0)
  await expect(page.getByText('Email: always')).toBeVisible()
})

test('during a hold, emails stay on, and the refusal says until when', async ({ page }) => {
  const data = { until: '2030-01-02T12:00:00Z' }
  const message =
    'Your account details changed recently. This is available again from January 2, 2030 at 12:00 UTC.'
  await page.route('**/user/notification/preference', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, json: { code: '5036', message, data } })
      : route.continue(),
  )
  await page.goto('/notificationSettings')
  const email = page.getByRole('switch', { name: 'New orders: Email' })
  await expect(email).toBeChecked()
  await email.click()
  await expect(page.getByText(message)).toBeVisible()
  await expect(email).toBeEnabled()
  await expect(email).toBeChecked()
})

test('the settings say when they cannot be read, and recover', async ({ page }) => {
  await page.route('**/user/notification/preference', (route) => route.abort())
  await page.goto('/notificationSettings')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/user/notification/preference')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('switch', { name: 'Order progress: Email' })).toBeVisible()
})

const blank: Notification = {
  number: 1,
  at: '2026-01-01T00:00:00Z',
  category: 'ACCOUNT',
  unread: false,
  orderId: null,
  advertId: null,
  notice: null,
  reader: null,
  author: null,
  certified: null,
  accountChange: null,
  traded: null,
  withdrawal: false,
}

const rows = (page: Page) => page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')

test('the list says when it cannot be read, and recovers', async ({ page }) => {
  await page.route('**/user/notification/page*', (route) => route.abort())
  await page.goto('/notifications')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/user/notification/page*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page)).not.toHaveCount(0)
})

test('older notifications are read when the end of the list comes into view', async ({ page }) => {
  const all = Array.from({ length: 45 }, (_, index) => ({ ...blank, number: 45 - index }))
  const asked: (string | null)[] = []
  let broken = false
  await page.route('**/user/notification/page*', (route) => {
    const before = new URL(route.request().url()).searchParams.get('before')
    asked.push(before)
    if (broken) return route.abort()
    const list = all.filter(({ number }) => before === null || number < Number(before)).slice(0, 20)
    const last = list.at(-1)?.number ?? 1
    broken = before === '26'
    return fulfillWith(route, { list, next: last > 1 ? last : null })
  })
  await page.goto('/notifications')
  await expect(rows(page)).toHaveCount(20)
  await rows(page).last().scrollIntoViewIfNeeded()
  await expect(rows(page)).toHaveCount(40)
  await rows(page).last().scrollIntoViewIfNeeded()
  // A page that cannot be read is asked for again with a button.
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await expect(rows(page)).toHaveCount(40)
  broken = false
  await again.click()
  await expect(rows(page)).toHaveCount(45)
  await expect(page.getByText('No more records')).toBeVisible()
  expect(new Set(asked)).toEqual(new Set([null, '26', '6']))
})

test('each notification leads to what it is about', async ({ page }) => {
  const told: [change: Partial<Notification>, text: string, path: string][] = [
    [{ certified: true }, 'You’re certified', '/certification'],
    [{ certified: false }, 'Your application for certification was rejected', '/certification'],
    [{ category: 'FUNDS', withdrawal: true }, 'You requested a withdrawal', '/fundRecord'],
    [
      { category: 'SECURITY', accountChange: 'RECEIVING_ADDRESS' },
      'Your receiving address was changed',
      '/personalCenter',
    ],
    [
      { category: 'SECURITY', accountChange: 'NOTIFICATION_EMAILS' },
      'Emails to you were turned off',
      '/notificationSettings',
    ],
    [
      { category: 'ADVERT', advertId: 'ad-1', notice: 'ADVERT_CONFIRMED' },
      'Your ad is funded and takes orders',
      '/myAdvert?id=ad-1',
    ],
    [{}, 'Your ads are offline: orders went unanswered', '/myAdvert'],
  ]
  await page.route('**/user/notification/page*', (route) =>
    fulfillWith(route, {
      list: told.map(([change], index) => ({ ...blank, ...change, number: told.length - index })),
      next: null,
    }),
  )
  for (const [, text, path] of told) {
    await page.goto('/notifications')
    await expect(rows(page)).toHaveCount(told.length)
    const link = rows(page).filter({ hasText: text }).getByRole('link')
    await expect(link).toHaveAttribute('href', path)
    await link.click()
    await expect(page).toHaveURL(path)
  }
})
