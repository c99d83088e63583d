import { expect, type Page, test } from '@playwright/test'
import { signIn } from './overrides.ts'

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
