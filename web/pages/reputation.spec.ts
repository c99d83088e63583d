import { expect, test } from '@playwright/test'
import { fulfillWith, overrideUser, signIn } from './overrides.ts'

test.beforeEach(async ({ page, context }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(context)
})

test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test('each change of the credit score has its cause, its order, and the day on which it is restored', async ({
  page,
}) => {
  await page.goto('/personalCenter')
  await page.getByRole('link', { name: 'Credit score' }).click()
  await expect(page.getByText('out of 100')).toBeVisible()
  await expect(page.getByText('You need at least 60 points to publish ads.')).toBeVisible()
  const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
  await expect(changes).toHaveCount(4)
  await expect(changes.nth(0)).toContainText('You didn’t pay in time')
  await expect(changes.nth(0)).toContainText('−20')
  await expect(changes.nth(0)).toContainText(/Restored on \w+ 1/)
  await expect(changes.nth(1)).toContainText('No points lost')
  await expect(changes.nth(2)).toContainText('+20')
  await expect(changes.nth(2).getByRole('link')).toHaveCount(0)
  await expect(changes.nth(3).getByText('Restored', { exact: true })).toBeVisible()
  await changes.nth(3).getByRole('link', { name: 'View appeal' }).click()
  await expect(page).toHaveURL('/appeal?id=o-decided')
  await page.goBack()
  await changes.nth(0).getByRole('link', { name: 'View order' }).click()
  await expect(page).toHaveURL('/orderDetail?id=o-cancelled')
})

test('a change that happens while the page is open appears', async ({ page }) => {
  let total = 0
  const change = {
    change: -20,
    reputation: 80,
    cause: 'CANCELLED',
    orderId: 'o-cancelled',
    appealId: null,
    at: '2026-11-20T10:00:00Z',
    restoredAt: '2026-12-01T00:00:00Z',
  }
  await page.route('**/api/credit/detail/page*', (route) =>
    fulfillWith(route, { records: total === 0 ? [] : [change], total, page: 1, size: 20 }),
  )
  await overrideUser(page, () => ({ reputation: 100 - 20 * total }))
  await page.clock.install()
  await page.goto('/reputationScore')
  await expect(page.getByText('No changes yet')).toBeVisible()
  total = 1
  await page.clock.runFor(11_000)
  await expect(page.getByText('You cancelled an order')).toBeVisible()
  await expect(page.getByText('80', { exact: true })).toBeVisible()
})
