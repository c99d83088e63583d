import { expect, test } from '@playwright/test'
import { signIn } from './overrides.ts'

test.beforeEach(async ({ page, context }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(context)
})

test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test('the hall leads to the price history of its pair, with ranges, candles and a line', async ({ page }) => {
  const ranges: (string | null)[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/order/price/thread/new/page') ranges.push(url.searchParams.get('range'))
  })
  await page.goto('/?base=MEC&quote=USD')
  await page.getByRole('region', { name: 'Market' }).locator('summary').click()
  await page.getByRole('link', { name: 'Price history' }).click()
  await expect(page).toHaveURL('/priceRecord?base=MEC&quote=USD')
  await expect(page.getByRole('combobox', { name: 'Pair' })).toHaveValue('MEC/USD')
  const chart = page.getByRole('slider', { name: 'Price chart' })
  await expect(chart.locator('canvas').first()).toBeVisible()
  for (const range of ['30D', '3M', '6M', '1Y']) {
    await page.getByText(range, { exact: true }).click()
    await expect(page).toHaveURL(`/priceRecord?base=MEC&quote=USD&range=${range}`)
    await expect(chart.locator('canvas').first()).toBeVisible()
  }
  expect(ranges).toEqual(['7D', '30D', '3M', '6M', '1Y'])
  await page.getByText('Line', { exact: true }).click()
  await expect(chart.locator('canvas').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('radio', { name: '1Y' })).toBeChecked()
})

test('the arrow keys and the pointer move through the chart, and the figures follow', async ({ page }) => {
  await page.goto('/priceRecord?base=MEC&quote=USD&range=30D')
  const chart = page.getByRole('slider', { name: 'Price chart' })
  await expect(chart.locator('canvas').first()).toBeVisible()
  await expect(chart).toHaveAttribute('aria-valuenow', '29')
  const newest = (await chart.getAttribute('aria-valuetext')) ?? ''
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(chart).toHaveAttribute('aria-valuenow', '28')
  await page.keyboard.press('Home')
  await expect(chart).toHaveAttribute('aria-valuenow', '0')
  await expect(chart).not.toHaveAttribute('aria-valuetext', newest)
  await page.keyboard.press('End')
  await expect(chart).toHaveAttribute('aria-valuetext', newest)
  await page.getByRole('combobox', { name: 'Pair' }).focus()
  await expect(chart).toHaveAttribute('aria-valuenow', '29')

  const box = await chart.boundingBox()
  if (box === null) throw new Error('no chart')
  await page.mouse.move(box.x + 30, box.y + 100)
  await expect(chart).not.toHaveAttribute('aria-valuenow', '29')
  await page.mouse.move(box.x + 30, box.y - 60)
  await expect(chart).toHaveAttribute('aria-valuenow', '29')
})

test('the same prices are in a table, and a pair without trades says so', async ({ page }) => {
  await page.goto('/priceRecord?base=MEC&quote=USD&range=30D')
  await page.getByText('Show as a table').click()
  await expect(page.getByRole('table', { name: 'MEC/USD' }).getByRole('row')).toHaveCount(31)
  await page.route('**/api/order/price/thread/new/page*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    body.data.records = []
    await route.fulfill({ json: body })
  })
  await page.getByText('7D', { exact: true }).click()
  await expect(page.getByText('No trades in this time')).toBeVisible()
})
