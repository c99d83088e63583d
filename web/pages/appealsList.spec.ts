import { expect, test } from '@playwright/test'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('the appeals lead to their pages and orders', async ({ page }) => {
  await page.goto('/personalCenter')
  await page.getByRole('link', { name: 'Appeals' }).click()
  await expect(page).toHaveURL('/appeals')
  const row = page
    .getByRole('list', { name: 'Appeals' })
    .getByRole('listitem')
    .filter({ hasText: 'Decided in your favor' })
    .first()
  await row.getByRole('link', { name: 'View order' }).click()
  await expect(page).toHaveURL(/\/orderDetail\?id=o-/)
  await page.goto('/order')
  await page.getByRole('link', { name: 'Your appeals' }).click()
  await row.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/appeal\?id=o-/)
  await expect(page.getByRole('heading', { name: 'Decided in your favor' })).toBeVisible()
  // Neither in the bottom navigation nor in the menu.
  await page.goto('/appeals')
  await expect(page.getByRole('navigation')).toHaveCount(0)
})

test('without appeals, the screen says how disputes are resolved', async ({ page }) => {
  await page.route('**/api/c2c/appeal/page*', (route) =>
    fulfillWith(route, { records: [], total: 0, page: 1, size: 20 }),
  )
  await page.goto('/appeals')
  await expect(page.getByText('No appeals')).toBeVisible()
  await expect(page.getByRole('link', { name: 'How disputes are resolved' })).toBeVisible()
})

test('appeals that cannot be loaded say so', async ({ page }) => {
  await page.route('**/api/c2c/appeal/page*', (route) => route.abort())
  await page.goto('/appeals')
  await expect(page.getByText('Can’t reach MEC2C')).toBeVisible()
})
