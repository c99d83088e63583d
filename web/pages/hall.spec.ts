import { expect, test } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { market } from '../mock/market.ts'
import { fulfillWith, signIn } from './overrides.ts'

const NONE = { records: [], total: 0, page: 1, size: 20 }

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('an empty hall says why: filters, only the user’s own ads, or no ads at all', async ({ page }) => {
  await page.route('**/api/c2c/advert/page?*', (route) => fulfillWith(route, NONE))
  let own = false
  await page.route('**/api/c2c/advert/pageByUser*', (route) => {
    const [first] = adverts
    const mine = { ...first, side: 'SELL', state: 'ONLINE', base: 'MEC', quote: 'USD' }
    return fulfillWith(route, own ? { ...NONE, records: [mine], total: 1 } : NONE)
  })
  await page.goto('/')
  await expect(page.getByText('No ads yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Amount' }).fill('5')
  await expect(page.getByText('No matching ads')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText('No ads yet')).toBeVisible()
  own = true
  await page.reload()
  await page.getByRole('combobox', { name: 'Pair' }).selectOption('MEC/USD')
  await expect(page.getByText('Only your own ads')).toBeVisible()
  // On this side the user has no ads.
  await page.getByRole('radio', { name: 'Sell' }).check({ force: true })
  await expect(page.getByText('No ads yet')).toBeVisible()
})

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1280, height: 800 } })
  test('every filter and the sort order are within the viewport', async ({ page }) => {
    await page.goto('/')
    for (const name of ['Pair', 'Region', 'Sort']) {
      await expect(page.getByRole('combobox', { name })).toBeInViewport({ ratio: 1 })
    }
  })
})

test('an amount that can’t be ordered shows no total', async ({ page }) => {
  await page.goto('/buySell?id=a-SELL-MEC-USD-0')
  await page.getByLabel('You pay').fill('99999999')
  await expect(page.getByText(/^At most /)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Buy MEC', exact: true })).toBeVisible()
  await expect(page.getByText('You receive').locator('..')).toHaveText('You receive–')
  await page.getByLabel('You pay').fill('50')
  await expect(page.getByText('You receive').locator('..')).toHaveText(/^You receive[\d.]+ MEC$/)
})

test('a day without trades shows no change, and an unchanged price shows no arrow', async ({ page }) => {
  let high: string | null = null
  await page.route('**/api/market/stats*', (route) =>
    fulfillWith(route, {
      ...market('MEC', 'USDT'),
      changeToday: '0',
      high24h: high,
      low24h: high,
      average24h: high,
    }),
  )
  await page.goto('/')
  const shown = page.getByRole('region', { name: 'Market' })
  await expect(shown.getByText('24h high').locator('..')).toContainText('–')
  await expect(shown.getByText(/today/)).toHaveCount(0)
  high = '0.5'
  await page.reload()
  await expect(shown.getByText(/today/)).toHaveText('0% today')
})

test('a badge shows its meaning when tapped or focused, and Escape hides it', async ({ page }) => {
  await page.goto('/')
  const words = 'Certified trader: official guarantee, with compensation if something goes wrong'
  const badge = page.getByRole('button', { name: words }).first()
  const said = page.getByText(words)
  await badge.click()
  await expect(said).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await expect(said).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Amount' }).focus()
  await badge.focus()
  await expect(said).toBeVisible()
})

test('flags are images, not emoji', async ({ page }) => {
  await page.goto('/')
  const flag = page.getByRole('list', { name: 'Ads' }).locator('img').first()
  await expect(flag).toHaveAttribute('src', /^\/assets\/flags-[\d.]+\/[A-Z]{2}\.svg$/)
  await expect(flag).toHaveAttribute('alt', /^[A-Z][a-z]+/)
  await expect.poll(() => flag.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
  expect(await page.locator('main').innerText()).not.toMatch(/[\u{1F1E6}-\u{1F1FF}]/u)
})

test('a seller learns the network fee of a refund before the order', async ({ page, context }) => {
  await signIn(context)
  await page.goto('/buySell?id=a-BUY-MEC-USD-0&amount=48')
  const fee = page.getByText(/a network fee of 0\.01 MEC is deducted from the refund/)
  await expect(fee).toBeVisible()
  // Buyers of a manual order deposit nothing.
  await page.goto('/buySell?id=a-SELL-MEC-USD-0&amount=48')
  await expect(page.getByRole('button', { name: /^Buy / })).toBeVisible()
  await expect(fee).toHaveCount(0)
})
