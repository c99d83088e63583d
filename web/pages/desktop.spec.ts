import { expect, type Page, test } from '@playwright/test'
import { expectToBeAccessible } from './expectToBeAccessible.ts'
import { expectToFit } from './expectToFit.ts'
import { signIn } from './overrides.ts'

test.use({ viewport: { width: 1280, height: 800 } })
test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const settings = (page: Page) => page.getByRole('navigation', { name: 'Personal center' })

test('the main screens are in the header, also of screens without a bottom bar on a phone', async ({
  page,
}) => {
  await page.goto('/paymentMethod')
  await main(page).getByRole('link', { name: 'Orders' }).click()
  await expect(page).toHaveURL('/order')
  await expect(main(page).getByRole('link', { name: 'Orders' })).toHaveAttribute('aria-current', 'page')
  expect((await main(page).boundingBox())?.y).toBe(0)
  await page.goto('/paymentMethod')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(main(page)).toBeHidden()
})

test('a help page keeps the main screens in the header', async ({ page }) => {
  await page.goto('/helpDetail?id=disputes')
  await expect(main(page).getByRole('link', { name: 'Orders' })).toBeVisible()
})

test('the personal center lists its screens beside the one that is shown', async ({ page }) => {
  await page.goto('/personalCenter')
  await expect(settings(page).getByRole('link')).toHaveCount(18)
  await settings(page).getByRole('link', { name: 'Payment methods' }).click()
  await expect(page).toHaveURL('/paymentMethod')
  await expect(page.getByText('First Harbor Bank')).toBeVisible()
  const current = settings(page).locator('[aria-current="page"]')
  await expect(current).toHaveText('Payment methods')
  await expectToBeAccessible(page, page.url())
  // A screen that is not listed belongs to a listed one.
  await page.goto('/creatingPayment')
  await expect(current).toHaveText('Payment methods')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(settings(page)).toHaveCount(0)
})

test('orders are a table with the selected one beside it', async ({ page }) => {
  await page.goto('/order')
  const table = page.getByRole('table', { name: 'Orders' })
  await expect(table.getByRole('columnheader')).toHaveText([
    'Order',
    'Amount',
    'Total',
    'Trading partner',
    'State',
  ])
  const details = page.getByRole('region', { name: 'Details of the order' })
  await expect(details).toContainText('No order selected')
  // Other tests place orders, so the first one is not always the same.
  const link = table.locator('a[href="/order?id=o-pay"]')
  await link.focus()
  await page.keyboard.press('ArrowDown')
  await expect(link).not.toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(link).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/order?id=o-pay')
  await expect(details.getByRole('heading', { name: /^Pay the seller within/ })).toBeVisible()
  await expectToBeAccessible(page, page.url())
  // Another choice changes the address, adds no step back, and keeps the place in the table.
  await page.evaluate(() => scrollTo(0, 120))
  await table.getByRole('link').nth(3).click()
  await expect(page).not.toHaveURL('/order?id=o-pay')
  expect(await page.evaluate(() => scrollY)).toBe(120)
  await page.goto('/order?id=o-pay')
  await details.getByRole('link', { name: 'Open with chat' }).click()
  await expect(page).toHaveURL('/orderDetail?id=o-pay')
  await page.goBack()
  await expect(page).toHaveURL('/order?id=o-pay')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(table).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Orders' })).toBeVisible()
})

test('the user’s ads are a table with the selected one beside it', async ({ page }) => {
  await page.goto('/myAdvert')
  const table = page.getByRole('table', { name: 'My ads' })
  await table.locator('a[href="/myAdvert?id=ad-1"]').click()
  await expect(page).toHaveURL('/myAdvert?id=ad-1')
  const details = page.getByRole('region', { name: 'Details of the ad' })
  await expect(details).toContainText('Payment methods')
  await expectToBeAccessible(page, page.url())
  // The ad stays beside the table when it moves to another group.
  await details.getByRole('button', { name: 'Take offline' }).click()
  await expect(details.getByRole('button', { name: 'Go online' })).toBeVisible()
  await details.getByRole('button', { name: 'Go online' }).click()
  await expect(details.getByRole('button', { name: 'Take offline' })).toBeVisible()
})

test('the hall is a table that its columns sort, with the order form beside it', async ({ page }) => {
  await page.goto('/')
  const table = page.getByRole('table', { name: 'Ads' })
  const price = table.getByRole('columnheader', { name: 'Price' })
  await expect(price).toHaveAttribute('aria-sort', 'ascending')
  await price.getByRole('button').click()
  await expect(page).toHaveURL('/?base=MEC&quote=USD&sort=-price')
  await expect(price).toHaveAttribute('aria-sort', 'descending')
  const available = table.getByRole('columnheader', { name: 'Available' })
  await available.getByRole('button').click()
  await expect(page).toHaveURL('/?base=MEC&quote=USD&sort=-quantity')
  await expect(price).not.toHaveAttribute('aria-sort', /./)
  await price.getByRole('button').click()
  await expect(page).toHaveURL('/?base=MEC&quote=USD')
  const form = page.getByRole('region', { name: 'Place an order' })
  await expect(form).toContainText('No ad selected')
  await table.getByRole('link', { name: 'Buy MEC from MinhTrader' }).first().click()
  await expect(page).toHaveURL('/?base=MEC&quote=USD&ad=a-SELL-MEC-USD-0')
  await expectToBeAccessible(page, page.url())
  await form.getByLabel('You pay').fill('50')
  await expect(form.getByText('You receive').locator('..')).toHaveText(/^You receive[\d.]+ MEC$/)
  // The filters are at the left of the table, the form at its right.
  const [filter, list, beside] = await Promise.all([
    page.getByRole('combobox', { name: 'Region' }).boundingBox(),
    table.boundingBox(),
    form.boundingBox(),
  ])
  expect((filter?.x ?? 0) + (filter?.width ?? 0)).toBeLessThan(list?.x ?? 0)
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThan(beside?.x ?? 0)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('list', { name: 'Ads' })).toBeVisible()
  await expect(form).toHaveCount(0)
})

test('the hall does not shift while it loads on a desktop', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('table', { name: 'Ads' })).toBeVisible()
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += Number(Reflect.get(entry, 'value'))
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 500)
      }),
  )
  expect(shift).toBeLessThan(0.02)
})

const SELECTED = [
  '/?base=MEC&quote=USD&ad=a-SELL-MEC-USD-0',
  '/order?id=o-pay',
  '/myAdvert?id=ad-1',
  '/personalCenter',
  '/fundRecord',
]

for (const width of [1024, 1280]) {
  for (const language of ['en', 'zh_CN']) {
    test(`tables and details fit at ${width} px, in ${language}`, async ({ page, context }) => {
      await context.addCookies([{ name: 'me_lang', value: language, url: 'http://127.0.0.1' }])
      await page.setViewportSize({ width, height: 768 })
      for (const path of SELECTED) {
        await page.goto(path)
        await expect(page.locator('.animate-sheen')).toHaveCount(0)
        await expectToFit(page, path)
      }
    })
  }
}
