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
  ['/orderDetail?id=o-arrived', /The chain is confirming it/],
  ['/orderDetail?id=o-late', /The seller is late/],
  ['/orderDetail?id=o-asked', /asks you to cancel/],
  ['/orderDetail?id=o-seen', /as the chain shows it/],
  ['/orderDetail?id=o-left', /are your temporary balance/],
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

/** The screens on which money is asked for or moved: these are looked at in a second language too. */
const MONEY = SCREENS.filter(([path]) =>
  /^\/(buySell|creating|myAdvert|orderDetail|fundRecord|personalCenter|updateReceivingAddress)\b/.test(path),
)

interface Visitor {
  theme: 'dark' | 'light'
  language: 'en' | 'zh_CN'
}

/** Who looks at one screen after another, in one browser: the code comes once. */
async function walk(
  { page, context }: { page: Page; context: BrowserContext },
  screens: typeof SCREENS,
  { theme, language }: Visitor,
  look: (path: string) => Promise<void>,
) {
  const url = 'http://127.0.0.1'
  const size = page.viewportSize()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await context.addInitScript((shown) => localStorage.setItem('theme', shown), theme)
  await context.addCookies([{ name: 'me_lang', value: language, url }])
  const session = [
    { name: 'MEC2C-token', value: 'mock-token', url },
    { name: 'userId', value: 'u-me', url },
  ]
  for (const [path, shows, needsSession] of screens) {
    await test.step(path, async () => {
      if (needsSession === false) await context.clearCookies({ name: 'MEC2C-token' })
      else await context.addCookies(session)
      if (size !== null) await page.setViewportSize(size)
      await page.goto(path)
      if (language === 'en') await expect.soft(page.getByText(shows).first(), path).toBeVisible()
      await expect(page.locator('main').getByText(/\S/).first()).toBeVisible()
      await expect(page.locator('.animate-sheen')).toHaveCount(0)
      await look(path)
      expect.soft(errors, path).toEqual([])
    })
  }
}

/** As high as the page is, so that nothing lies half under the bar of the main button. */
async function unrolled(page: Page) {
  const { width } = page.viewportSize() ?? { width: 390 }
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, 844) })
}

/** What depends on colours alone; all else is the same in both themes, and looked at in one. */
const COLOURS = ['color-contrast', 'link-in-text-block']

async function readable(page: Page, path: string, rules: readonly string[] = []) {
  await unrolled(page)
  const axe = new AxeBuilder({ page })
  if (rules.length > 0) axe.withRules([...rules])
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  const { violations } = await axe.analyze()
  const said = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`)
  expect.soft(said, path).toEqual([])
}

// In halves, so that two browsers share the work.
const HALF = Math.ceil(SCREENS.length / 2)
for (const theme of ['dark', 'light'] as const) {
  for (const [name, screens] of [
    ['first', SCREENS.slice(0, HALF)],
    ['second', SCREENS.slice(HALF)],
  ] as const) {
    test(`the ${name} half of the screens in ${theme}: readable for everybody`, async ({ page, context }) => {
      test.setTimeout(600_000)
      const rules = theme === 'light' ? COLOURS : []
      await walk({ page, context }, screens, { theme, language: 'en' }, (path) => readable(page, path, rules))
    })
  }
}

test('the screens of money in Chinese: readable for everybody', async ({ page, context }) => {
  test.setTimeout(600_000)
  await walk({ page, context }, MONEY, { theme: 'light', language: 'zh_CN' }, async (path) => {
    await expect.soft(page.locator('html'), path).toHaveAttribute('lang', 'zh-CN')
    await expect.soft(page.locator('main'), path).toContainText(/\p{Script=Han}/u)
    await readable(page, path)
  })
})

test.describe('the narrowest phone, and a desk', () => {
  test.use({ viewport: { width: 320, height: 640 } })
  test('no screen scrolls sideways', async ({ page, context }) => {
    test.setTimeout(600_000)
    const wide = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await walk({ page, context }, SCREENS, { theme: 'dark', language: 'en' }, async (path) => {
      expect.soft(await wide(), `${path} at 320 px`).toBeLessThanOrEqual(0)
      await page.setViewportSize({ width: 1280, height: 800 })
      await expect.poll(wide, { message: `${path} at 1280 px` }).toBeLessThanOrEqual(0)
    })
  })
})
