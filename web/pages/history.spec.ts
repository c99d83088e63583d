import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { orders } from '../mock/orders.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const done = orders.find((one) => one.id === 'o-done')
const rows = (page: Page) => page.getByRole('list', { name: 'Orders' }).getByRole('listitem')

/** Opens the finished orders. */
async function finished(page: Page, filters = '') {
  await page.goto(`/order?show=finished${filters}`)
  await expect(rows(page).first()).toBeVisible()
}

test('finished orders are found by nickname, and the address keeps what is looked for', async ({ page }) => {
  await page.goto('/order')
  await expect(page.getByRole('search')).toHaveCount(0)
  await page.getByText('Finished', { exact: true }).click()
  await expect(rows(page).nth(1)).toBeVisible()
  const all = await rows(page).count()
  const nickname = done?.counterparty.nickname ?? ''
  await page.getByRole('searchbox', { name: 'Nickname or order ID' }).fill('o-done')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText(nickname)
  await expect(page).toHaveURL('/order?show=finished&search=o-done')
  // Another screen, and back.
  await rows(page).getByRole('link').click()
  await expect(page).toHaveURL(/orderDetail/)
  await page.goBack()
  await expect(page).toHaveURL('/order?show=finished&search=o-done')
  await expect(rows(page)).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('o-done')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('searchbox').fill('nobody')
  await expect(page.getByText('No orders match')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rows(page)).toHaveCount(all)
  await expect(page).toHaveURL('/order?show=finished')
})

test('finished orders are found by coin', async ({ page }) => {
  await finished(page)
  await page.getByRole('combobox', { name: 'Coin' }).selectOption('ART')
  await expect(page).toHaveURL('/order?show=finished&coin=ART')
  await expect(rows(page)).toHaveCount(1)
})

test('whole days of this device are sent as instants', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: 'Asia/Seoul' })
  await signIn(context)
  const page = await context.newPage()
  await finished(page)
  await page.getByRole('button', { name: 'Choose days' }).click()
  const sheet = page.getByRole('dialog')
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.has('to'))
  await sheet.getByLabel('First day').fill('2026-01-31')
  await sheet.getByLabel('Last day').fill('2026-01-31')
  const query = new URL((await asked).url()).searchParams
  expect(query.get('from')).toBe('2026-01-30T15:00:00.000Z')
  expect(query.get('to')).toBe('2026-01-31T15:00:00.000Z')
  await sheet.getByRole('button', { name: 'Show orders' }).click()
  await expect(page.getByRole('button', { name: 'Days: Jan 31, 2026 – Jan 31, 2026' })).toBeVisible()
  await expect(page.getByText('No orders match')).toBeVisible()
  await context.close()
})

test('days in the wrong order are refused at their field', async ({ page }) => {
  await finished(page)
  await page.goto('/order?show=finished&from=2026-02-02&to=2026-01-01')
  await page.getByRole('button', { name: /^Days:/ }).click()
  await expect(page.getByRole('dialog').getByText('The last day is before the first.')).toBeVisible()
})

test('the file contains what the filters show', async ({ page }) => {
  await finished(page, '&search=o-done')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as a table (CSV)' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('mec2c-orders-2026-01-01.csv')
  expect(await readFile(await download.path(), 'utf8')).toBe('Order ID,Status\r\no-done,COMPLETED\r\n')
  await expect(page.getByText('Downloaded')).toBeVisible()
})

test('a file that lacks older orders says so, and one that cannot be downloaded says why', async ({
  page,
}) => {
  const file = {
    status: 200,
    contentType: 'text/csv',
    headers: {
      'content-disposition': 'attachment; filename="mec2c-orders-2026-01-01-newest-10000.csv"',
      'x-more-orders': 'true',
    },
    body: 'Order ID\r\n',
  }
  const path = '**/api/c2c/deal/order/export*'
  await page.route(path, (route) => route.fulfill(file))
  await finished(page)
  await page.getByRole('button', { name: 'Download as a table (CSV)' }).click()
  await expect(page.getByText('it contains the newest ones')).toBeVisible()
  await page.unroute(path)
  await page.route(path, (route) => route.abort())
  await page.getByRole('button', { name: 'Download as a table (CSV)' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The network is unstable' })).toBeVisible()
})

test('without finished orders, there is nothing to look for', async ({ page }) => {
  await page.route('**/api/c2c/deal/order/page*', (route) =>
    fulfillWith(route, { records: [], total: 0, page: 1, size: 20 }),
  )
  await page.goto('/order?show=finished')
  await expect(page.getByText('No finished orders yet')).toBeVisible()
  await expect(page.getByRole('search')).toHaveCount(0)
})
