import { expect, test } from '@playwright/test'
import { signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('what others did is listed, and marked as read once it was seen', async ({ page }) => {
  const reports: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/user/notification/read')) reports.push(request.postData() ?? '')
  })
  await page.goto('/')
  const bell = page.getByRole('link', { name: /^Notifications/ })
  await expect(bell).toHaveAccessibleName('Notifications, unread: 2')
  await bell.click()
  const list = page.getByRole('list', { name: 'Notifications' })
  await expect(list.getByRole('listitem').first()).toContainText('The buyer marked the order as paid')
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
