import { expect, test } from '@playwright/test'
import { open } from './consolePage.ts'
import { fulfillWith } from './overrides.ts'

test('stopped payouts appear on their page when the navigation counts them', async ({ page }) => {
  await page.clock.install()
  let stopped = false
  await page.route('**/api/console/waiting', (route) =>
    fulfillWith(route, { appeals: null, nicknames: 0, payouts: stopped ? 1 : 0 }),
  )
  await page.route('**/api/console/payouts', async (route) => {
    if (stopped) return route.fallback()
    return fulfillWith(route, { stops: [], vaults: [], uncredited: [], failing: [] })
  })
  let views = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/console/payouts')) views += 1
  })
  await open(page, '/console/payouts')
  await expect(page.getByText('All payouts are running')).toBeVisible()
  await page.clock.runFor(31_000)
  // Each view is recorded, so the page is not fetched again without need.
  expect(views).toBe(1)
  stopped = true
  await page.clock.runFor(31_000)
  await expect(page.getByRole('heading', { name: 'Stopped coins' })).toBeVisible()
  await expect(page.getByText('All payouts are running')).toHaveCount(0)
  expect(views).toBe(2)
})
