import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'

/** Each screen, with what shows that it has arrived. */
const SCREENS: readonly [path: string, shows: RegExp, session?: false][] = [
  ['/login', /Coins stay in escrow/, false],
  ['/register', /Prove who you are/, false],
  ['/systemMaintenance?start=2026-01-01T00:00:00Z&end=2026-01-01T02:00:00Z', /System maintenance/, false],
  ['/', /MinhTrader/],
  ['/buySell?id=a-SELL-MEC-USD-0&amount=48', /You receive/],
  ['/publish', /What do you sell/],
  ['/creating?id=ad-2', /Send this/],
  ['/creating?id=ad-3', /Being confirmed/],
  ['/creating?id=ad-1', /Your ad is posted/],
  ['/myAdvert', /Taking orders/],
  ['/order', /MinhTrader/],
  ['/orderDetail?id=o-pay', /Payment details/],
  ['/orderDetail?id=o-accept', /Accept order/],
  ['/orderDetail?id=o-confirm', /I have the money/],
  ['/orderDetail?id=o-auto', /Your payment on the chain/],
  ['/orderDetail?id=o-usdt', /Payment details/],
  ['/orderDetail?id=o-release', /on their way/],
  ['/orderDetail?id=o-done', /The buyer has the coins/],
  ['/orderDetail?id=o-cancelled', /This order was cancelled/],
  ['/fundRecord', /Where your money is/],
  ['/fundRecordDetails?id=f-2', /On the way/],
  ['/paymentMethod', /First Harbor Bank/],
  ['/creatingPayment', /Account holder/],
  ['/personalCenter', /Where your money is/],
  ['/updateSecurityPassword', /New security password/],
  ['/updateReceivingAddress', /Change the address/],
  ['/priceRecord', /Not open yet/],
  ['/nowhere', /There is no such page/],
]

async function enter(context: BrowserContext, theme: 'dark' | 'light', session: boolean) {
  const base = 'http://127.0.0.1'
  if (session) {
    await context.addCookies([
      { name: 'MEC2C-token', value: 'mock-token', url: base },
      { name: 'userId', value: 'u-me', url: base },
    ])
  }
  await context.addInitScript((shown) => localStorage.setItem('theme', shown), theme)
}

async function settled(page: Page, shows: RegExp) {
  await expect(page.getByText(shows).first()).toBeVisible()
  await expect(page.locator('.animate-sheen')).toHaveCount(0)
}

/** As high as the page is, so that nothing lies half under the bar of the main button. */
async function unrolled(page: Page) {
  const { width } = page.viewportSize() ?? { width: 390 }
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, 844) })
}

for (const theme of ['dark', 'light'] as const) {
  for (const [path, shows, session] of SCREENS) {
    test(`${path} in ${theme}: readable for everybody`, async ({ page, context }) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      await enter(context, theme, session !== false)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto(path)
      await settled(page, shows)
      await unrolled(page)
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze()
      expect(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`)).toEqual(
        [],
      )
      expect(errors).toEqual([])
    })
  }
}

test.describe('narrow, and large text', () => {
  test.use({ viewport: { width: 320, height: 640 } })
  for (const [path, shows, session] of SCREENS) {
    test(`${path} at 320 px does not scroll sideways`, async ({ page, context }) => {
      await enter(context, 'dark', session !== false)
      await page.goto(path)
      await settled(page, shows)
      const wide = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(await wide()).toBeLessThanOrEqual(0)
    })
  }
})
