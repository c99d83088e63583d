import { expect, type Page, test } from '@playwright/test'
import type { components } from '../src/api/schema'
import { asOlga, open, refuse } from './consolePage.ts'
import { expectToBeAccessible } from './expectToBeAccessible.ts'
import { expectNoSidewaysScroll, expectToFit } from './expectToFit.ts'
import { fulfillWith } from './overrides.ts'

type Dashboard = components['schemas']['ConsoleDashboard']

const CALL = '**/api/console/dashboard'

test.use({ viewport: { width: 1280, height: 800 } })

/** Changes what the server answers. */
async function change(page: Page, how: (figures: Dashboard) => Dashboard | undefined) {
  await page.route(CALL, async (route) => {
    const { data } = await (await route.fetch()).json()
    await fulfillWith(route, how(data) ?? data)
  })
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

test('the dashboard is the start page, and each figure has its time', async ({ page }) => {
  await open(page, '/console')
  await expect(page).toHaveURL(/\/console\/dashboard$/)
  await expect(page).toHaveTitle('Dashboard – MEC2C')
  const main = page.getByRole('main')
  const completed = main.getByRole('table', { name: 'Completed orders' })
  await expect(completed.getByRole('row', { name: /^MEC/ })).toHaveText(
    'MEC48,210.53128 orders391,002.251,043 orders',
  )
  await expect(completed.getByRole('row', { name: /^USDT/ })).toContainText('1 order80,214.99')
  const times = main.getByRole('table', { name: 'Time to verdict' })
  await expect(times.getByRole('row', { name: /^Median/ })).toHaveText('Median4 h 0 min5 h 10 min')
  await expect(times.getByRole('row', { name: /^90th/ })).toHaveText('90th percentile19 h 21 min1 d 2 h')
  await expect(main.getByText(/^overdue for 1 h 1[45] min$/)).toBeVisible()
  await expect(main.getByText('Awaiting confirmation')).toBeVisible()
  const escrow = main.getByRole('region', { name: 'MEC' })
  await expect(escrow.getByText('1 vault holds too little')).toBeVisible()
  await expect(escrow.getByText('912,041', { exact: true })).toBeVisible()
  await expect(escrow.getByText('-1', { exact: true })).toBeVisible()
  const other = main.getByRole('region', { name: 'USDT' })
  await expect(other.getByText('388 vaults agree')).toBeVisible()
  await expect(other.getByText('1 vault could not be compared')).toBeVisible()
  await expect(main.getByText('Compared at blocks 81,203 to 81,204.')).toBeVisible()
  // All cards but the escrow have the same time, and it has its own.
  await expect(main.getByText(/^As of /)).toHaveCount(6)
  await expect(main.getByText(/^Out of date/)).toHaveCount(0)
})

test('stopped payouts lead to where they are resumed, and stopped vaults to their owners', async ({
  page,
}) => {
  await open(page, '/console/dashboard')
  const list = page.getByRole('list', { name: 'Stopped and failing payouts' })
  const stop = list.getByRole('listitem').filter({ hasText: 'All payouts of MEC are stopped' })
  await expect(stop.getByText(/instead of 42000000000000000000/)).toBeVisible()
  await expect(stop.getByText(/^for \d+ h \d+ min$/)).toBeVisible()
  await expect(list.getByText('Payout 1204 has failed 4 times.')).toBeVisible()
  const vault = list.getByRole('listitem').filter({ hasText: 'its owner owes coins' })
  await vault.getByRole('link', { name: 'Open the user' }).click()
  await expect(page.getByRole('heading', { name: 'Sofia88' })).toBeVisible()
  await page.goBack()
  await stop.getByRole('link', { name: 'Open payouts' }).click()
  await expect(page.getByRole('heading', { name: 'Stopped coins' })).toBeVisible()
})

test('the figures refresh themselves every 30 seconds', async ({ page }) => {
  let waiting = 4
  await change(page, (figures) => ({ ...figures, appeals: { ...figures.appeals, waiting } }))
  await page.clock.install()
  await open(page, '/console/dashboard')
  const shown = page.getByText('Without a verdict').locator('..')
  await expect(shown).toHaveText('Without a verdict4')
  waiting = 1_000
  await page.clock.runFor(31_000)
  await expect(shown).toHaveText('Without a verdict1,000 or more')
})

test('figures that are out of date say so', async ({ page }) => {
  await change(page, (figures) => ({
    ...figures,
    at: minutesAgo(3),
    escrow:
      figures.escrow === null
        ? null
        : { ...figures.escrow, endedAt: minutesAgo(40), staleAt: minutesAgo(30) },
  }))
  await open(page, '/console/dashboard')
  await expect(page.getByText(/^Out of date: as of /)).toHaveCount(6)
  await expect(page.getByText(/^As of /)).toHaveCount(0)
  await expectToBeAccessible(page, 'out of date')
})

test('a refused refresh keeps the figures and says so', async ({ page }) => {
  await open(page, '/console/dashboard')
  await expect(page.getByText('388 vaults agree')).toBeVisible()
  await refuse(page, CALL, 403, '403', 'You may not do this.')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('These figures could not be refreshed.')).toBeVisible()
  await expect(page.getByText('388 vaults agree')).toBeVisible()
})

test('while the figures load and if they cannot be loaded, the page says so', async ({ page }) => {
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(CALL, async (route) => {
    await held
    await route.fulfill({ status: 403, json: { code: '403', message: 'You may not do this.', data: null } })
  })
  await page.goto('/console/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.locator('.animate-sheen').first()).toBeVisible()
  answer()
  await expect(page.getByRole('alert')).toContainText('Couldn’t load this')
  await page.unroute(CALL)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('388 vaults agree')).toBeVisible()
})

const EMPTY: Partial<Dashboard> = {
  volumes: [],
  appeals: { waiting: 0, overdue: 0, oldestDueAt: null },
  decisionsWeek: { decided: 0, median: null, ninetieth: null },
  decisionsMonth: { decided: 0, median: null, ninetieth: null },
  escrow: null,
  payouts: { stops: [], failing: [], failingTotal: 0, vaults: [], vaultsTotal: 0 },
}

test('a new platform has an empty dashboard', async ({ page }) => {
  await change(page, (figures) => ({ ...figures, ...EMPTY }))
  await open(page, '/console/dashboard')
  await expect(page.getByText('No payouts are stopped or failing.')).toBeVisible()
  await expect(page.getByText('No order was completed in the last 7 days.')).toBeVisible()
  await expect(page.getByText('The worker has not compared the vaults with the chain yet.')).toBeVisible()
  await expect(page.getByRole('row', { name: /^Median/ })).toHaveText('Median––')
  await expectToBeAccessible(page, 'empty')
})

test('what is not listed is counted', async ({ page }) => {
  await change(page, (figures) => ({ ...figures, payouts: { ...figures.payouts, vaultsTotal: 38 } }))
  await open(page, '/console/dashboard')
  await page.getByRole('link', { name: '37 more in Payouts' }).click()
  await expect(page).toHaveURL(/\/console\/payouts$/)
})

test('other roles have no dashboard', async ({ page }) => {
  await asOlga(page)
  await open(page, '/console/dashboard')
  await expect(page.getByText('Page not found')).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Dashboard' })).toHaveCount(0)
})

for (const language of ['en', 'zh_CN'] as const) {
  for (const theme of ['dark', 'light'] as const) {
    test(`the dashboard fits a phone in ${language} and ${theme} colors`, async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await open(page, '/console/dashboard', language, theme)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('main').locator('table')).toHaveCount(2)
      await expectToFit(page, '/console/dashboard')
      await expectToBeAccessible(page, '/console/dashboard')
      // The menu shows its icons, and names them for screen readers.
      const menu = page.getByRole('navigation').getByRole('link')
      await expect(menu.first()).toHaveAccessibleName(language === 'en' ? 'Dashboard' : '概览')
      expect((await menu.first().boundingBox())?.width).toBeLessThan(60)
    })
  }
}

test('the dashboard fits a desktop', async ({ page }) => {
  for (const language of ['en', 'zh_CN'] as const) {
    await page.goto('about:blank')
    await open(page, '/console/dashboard', language)
    await expect(page.getByRole('main').locator('table')).toHaveCount(2)
    await expectNoSidewaysScroll(page, '/console/dashboard')
    await expectToBeAccessible(page, '/console/dashboard')
  }
})
