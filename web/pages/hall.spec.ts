import { expect, type Locator, type Page, test } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { market } from '../mock/market.ts'
import type { MarketStats } from '../src/api/types.ts'
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
    await expect(page.getByRole('button', { name: 'Payment methods' })).toBeInViewport({ ratio: 1 })
    for (const name of ['Pair', 'Region', 'Sort']) {
      await expect(page.getByRole('combobox', { name })).toBeInViewport({ ratio: 1 })
    }
    await expect(page.getByRole('link', { name: 'Filters' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Certified' }).first().click()
    await expect(page).toHaveURL('/?base=MEC&quote=USD&certified=true')
    await page.getByRole('button', { name: 'Payment methods' }).click()
    await page.getByRole('checkbox', { name: 'Zelle' }).check()
    await page.getByRole('checkbox', { name: 'Bank transfer' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page).toHaveURL('/?base=MEC&quote=USD&methods=zelle%2CbankTransfer&certified=true')
    await expect(page.getByText('2 payment methods')).toBeVisible()
  })
})

test('an amount that can’t be ordered shows no total', async ({ page }) => {
  await page.goto('/buySell?id=a-SELL-MEC-USD-0')
  await page.getByLabel('You pay').fill('99999999')
  await expect(page.getByText(/^Between /)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Buy MEC', exact: true })).toBeVisible()
  await expect(page.getByText('You receive').locator('..')).toHaveText('You receive–')
  await page.getByLabel('You pay').fill('50')
  await expect(page.getByText('You receive').locator('..')).toHaveText(/^You receive[\d.]+ MEC$/)
})

test('the market is one line with the name of the pair, and opens to the figures of a day', async ({
  page,
}) => {
  await page.goto('/')
  const line = page.getByRole('region', { name: 'Market' })
  await expect(line).toContainText('MEC / USD')
  await expect(line.getByText(/today/)).toHaveText('+1.2% today')
  const [market, list] = [
    await line.boundingBox(),
    await page.getByRole('list', { name: 'Ads' }).boundingBox(),
  ]
  expect(market?.height).toBeLessThan(60)
  expect(Math.abs((list?.y ?? 0) - (market?.y ?? 0) - (market?.height ?? 0))).toBeLessThan(55)
  await expect(line.getByText('24h high')).toBeHidden()
  await line.locator('summary').press('Enter')
  await expect(line.getByText('24h high').locator('..')).toContainText('0.4922')
})

test('a quiet day says so instead of showing figures, and an unchanged price has no arrow', async ({
  page,
}) => {
  const quiet = { high24h: null, low24h: null, average24h: null, volume24h: '0', turnover24h: '0', spark: [] }
  let stats: MarketStats = { ...market('MEC', 'USD'), ...quiet, changeToday: '0' }
  await page.route('**/api/market/stats*', (route) => fulfillWith(route, stats))
  await page.goto('/')
  const shown = page.getByRole('region', { name: 'Market' })
  await expect(shown).toHaveText('MEC / USD0.4821No trades in the last 24 hoursPrice history')
  await expect(shown.getByRole('link', { name: 'Price history' })).toHaveAttribute(
    'href',
    '/priceRecord?base=MEC&quote=USD',
  )
  stats = { ...stats, latest: null }
  await page.reload()
  await expect(shown).toHaveText('MEC / USDNo trades yet')
  stats = { ...market('MEC', 'USD'), changeToday: '0' }
  await page.reload()
  await expect(shown.getByText(/today/)).toHaveText('0% today')
})

test('the address keeps the filters of the hall, and gives them to whoever opens it', async ({ page }) => {
  await page.goto('/')
  const amount = page.getByRole('textbox', { name: 'Amount' })
  await page.getByRole('combobox', { name: 'Pair' }).selectOption('MEC/EUR')
  await page.getByRole('radio', { name: 'Sell' }).check({ force: true })
  await amount.fill('48')
  await expect(page).toHaveURL('/?base=MEC&quote=EUR&wish=SELL&amount=48')
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Pair' })).toHaveValue('MEC/EUR')
  await expect(page.getByRole('radio', { name: 'Sell' })).toBeChecked()
  await expect(amount).toHaveValue('48')
  // The tab has no filters in its address; the hall keeps them.
  const tabs = page.getByRole('navigation', { name: 'Main' })
  await tabs.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByText('Unfinished')).toBeVisible()
  await tabs.getByRole('link', { name: 'Home' }).click()
  await expect(page).toHaveURL('/?base=MEC&quote=EUR&wish=SELL&amount=48')
  await expect(amount).toHaveValue('48')
  // What an address says goes before what was chosen here, and what makes no sense is left out.
  await page.goto('/?base=USDT&quote=CNY&methods=pix&sort=random')
  await expect(page.getByRole('combobox', { name: 'Pair' })).toHaveValue('USDT/CNY')
  await expect(amount).toHaveValue('')
  await expect(page.getByRole('link', { name: 'Filters', exact: true })).toBeVisible()
  await expect(page.getByText('xiaolin').first()).toBeVisible()
})

test('a shared address survives the login', async ({ page, context }) => {
  await context.clearCookies()
  await page.goto('/?base=MEC&quote=EUR&wish=SELL')
  await expect(page).toHaveURL(/\/login\?next=/)
  await signIn(context)
  await page.reload()
  await expect(page).toHaveURL('/?base=MEC&quote=EUR&wish=SELL')
  await expect(page.getByRole('combobox', { name: 'Pair' })).toHaveValue('MEC/EUR')
})

test('a phone shows pair, amount and a button that counts the other filters and opens them', async ({
  page,
}) => {
  await page.goto('/')
  const shown = [
    page.getByRole('combobox', { name: 'Pair' }),
    page.getByRole('textbox', { name: 'Amount' }),
    page.getByRole('link', { name: 'Filters' }),
  ]
  for (const one of shown) await expect(one).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('combobox')).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Amount' }).fill('48')
  await expect(page).toHaveURL(/amount=48/)
  await page.getByRole('link', { name: 'Filters' }).click()
  await expect(page.getByRole('heading', { name: 'Filters' })).toBeVisible()
  const found = page.getByRole('button', { name: /^Show \d+ ads$/ })
  await expect(found).toBeVisible()
  const all = await found.innerText()
  await page.getByText('Any payment method').click()
  await page.getByRole('searchbox', { name: 'Search payment methods' }).fill('zel')
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  await page.getByRole('checkbox', { name: 'Zelle' }).check()
  await page.getByRole('searchbox').fill('cowries')
  await expect(page.getByText('No payment method has this name.')).toBeVisible()
  await page.getByRole('searchbox').clear()
  await page.getByRole('checkbox', { name: 'Cash App' }).check()
  await expect(page.getByText('Zelle or Cash App')).toBeVisible()
  await page.getByRole('switch', { name: 'Certified traders only' }).click()
  await page.getByRole('radio', { name: 'Quantity, high to low' }).check()
  await expect(found).not.toHaveText(all)
  // A reload keeps what is not applied yet.
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Certified traders only' })).toBeChecked()
  const count = (await found.innerText()).match(/\d+/)?.[0]
  await found.click()
  await expect(page).toHaveURL(
    '/?base=MEC&quote=USD&amount=48&methods=zelle%2CcashApp&certified=true&sort=-quantity',
  )
  await expect(page.getByRole('link', { name: 'Filters, 3 in effect' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('list', { name: 'Ads' }).locator('> li')).toHaveCount(Number(count))
  await page.getByRole('link', { name: 'Filters, 3 in effect' }).click()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page.getByRole('button', { name: 'Clear all' })).toBeDisabled()
  await page.getByRole('button', { name: all }).click()
  await expect(page).toHaveURL('/?base=MEC&quote=USD&amount=48')
})

/** Answers the hall's call with the first ad, and that only if the ad's requirements are met, like everything that is counted. */
async function onlyFirstIsMet(page: Page): Promise<void> {
  await page.route(/\/api\/c2c\/advert\/page\?.*requirementsMet=true/, async (route) => {
    const { data } = await (await route.fetch()).json()
    await fulfillWith(route, { ...data, records: data.records.slice(0, 1), total: 1 })
  })
}

test('a phone can leave out ads whose requirements the user does not meet', async ({ page }) => {
  await onlyFirstIsMet(page)
  await page.goto('/filters?base=MEC&quote=USD')
  await expect(page.getByRole('button', { name: /^Show \d\d ads$/ })).toBeVisible()
  await page.getByRole('switch', { name: 'Only ads I can order from' }).click()
  await expect(page).toHaveURL('/filters?base=MEC&quote=USD&requirementsMet=true')
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Only ads I can order from' })).toBeChecked()
  await page.getByRole('button', { name: 'Show 1 ad', exact: true }).click()
  await expect(page).toHaveURL('/?base=MEC&quote=USD&requirementsMet=true')
  await expect(page.getByRole('list', { name: 'Ads' }).locator('> li')).toHaveCount(1)
  await page.getByRole('link', { name: 'Filters, 1 in effect' }).click()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page.getByRole('switch', { name: 'Only ads I can order from' })).not.toBeChecked()
  await expect(page.getByRole('button', { name: /^Show \d\d ads$/ })).toBeVisible()
})

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1280, height: 800 } })
  test('ads whose requirements the user does not meet are left out with one click', async ({ page }) => {
    await onlyFirstIsMet(page)
    await page.goto('/?base=MEC&quote=USD')
    const chip = page.getByRole('button', { name: 'Ads I can order from' })
    await expect(chip).toBeInViewport({ ratio: 1 })
    await expect(chip).toHaveAttribute('aria-pressed', 'false')
    const rows = page.getByRole('table').getByRole('row')
    await expect(rows).not.toHaveCount(2)
    await chip.click()
    await expect(page).toHaveURL('/?base=MEC&quote=USD&requirementsMet=true')
    await expect(rows).toHaveCount(2)
    await chip.click()
    await expect(page).toHaveURL('/?base=MEC&quote=USD')
    await expect(rows).not.toHaveCount(2)
  })
})

test('filters that change in quick succession all take effect, and none jumps back', async ({ page }) => {
  await page.goto('/filters?base=MEC&quote=USD')
  const sort = page.getByRole('radio', { name: 'Quantity, high to low' })
  await expect(sort).toBeVisible()
  const kept = await page.evaluate(async () => {
    const byName = (name: string) => document.querySelector<HTMLElement>(`[aria-label="${name}"]`)
    byName('Certified traders only')?.click()
    await Promise.resolve()
    byName('Fast traders only')?.click()
    await Promise.resolve()
    const radio = document.querySelector<HTMLInputElement>('input[name="sort"][value="-quantity"]')
    radio?.click()
    return radio?.checked
  })
  expect(kept).toBe(true)
  await expect(page).toHaveURL('/filters?base=MEC&quote=USD&certified=true&fast=true&sort=-quantity')
})

test('the filters say when nothing can be read, and recover', async ({ page }) => {
  await page.route('**/api/c2c/coin/config', (route) => route.abort())
  await page.goto('/filters')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unrouteAll()
  await expect(page.getByRole('combobox', { name: 'Region' })).toBeVisible()
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

test('an ad that not everyone can take says so as a card, in the table and among NFTs', async ({ page }) => {
  await page.route('**/api/c2c/advert/page?*', async (route) => {
    const { data } = await (await route.fetch()).json()
    const [open, required] = data.records
    open.takerRequirements = { completedOrders: null, advancedVerification: false, region: null }
    required.takerRequirements = { completedOrders: 20, advancedVerification: false, region: null }
    return fulfillWith(route, { ...data, records: [open, required], total: 2 })
  })
  const expectPill = async (entries: Locator) => {
    await expect(entries).toHaveCount(2)
    await expect(entries.nth(0).getByText('Requirements', { exact: true })).toHaveCount(0)
    await expect(entries.nth(1).getByText('Requirements', { exact: true })).toBeVisible()
  }
  await page.goto('/?base=MEC&quote=USD')
  await expectPill(page.getByRole('list', { name: 'Ads' }).locator('> li'))
  await page.goto('/?quote=USDT&wish=NFT')
  await expectPill(page.getByRole('list', { name: 'NFTs' }).locator('> li'))
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/?base=MEC&quote=USD')
  await expectPill(page.getByRole('table', { name: 'Ads' }).locator('tbody').getByRole('row'))
})
