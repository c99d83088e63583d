import { expect, type Page, test } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { orders } from '../mock/orders.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const CONDITION =
  /withdraw it to your bound address once all your ads have ended and all your orders are finished/

const inTheWay = (page: Page) => page.getByRole('list', { name: 'What stands in the way of a withdrawal' })

test('below the balances are the ads and orders that prevent a withdrawal, with a link to each', async ({
  page,
}) => {
  await page.goto('/fundRecord')
  await expect(page.getByRole('heading', { name: 'Before you can withdraw' })).toBeVisible()
  await expect(page.getByText(CONDITION)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Use it for an ad' })).toHaveAttribute('href', '/publish')
  await expect(page.getByRole('link', { name: 'Use it for an order' })).toHaveAttribute('href', '/')
  await expect(inTheWay(page).getByRole('listitem')).toHaveCount(6)
  await inTheWay(page).getByRole('link', { name: 'Order: buy 100 MEC for 48.35 USD' }).first().click()
  await expect(page).toHaveURL(/\/orderDetail\?id=o-/)
})

test('an order and an ad that prevent a withdrawal can be ended at once', async ({ page }) => {
  const sent: string[] = []
  for (const [path, end] of [
    ['**/api/c2c/deal/order/cancel/*', orders.find(({ id }) => id === 'o-cancelled')],
    ['**/api/c2c/advert/cancel/*', adverts[0]],
  ] as const) {
    await page.route(path, (route) => {
      sent.push(new URL(route.request().url()).pathname)
      return fulfillWith(route, end)
    })
  }
  await page.goto('/fundRecord')
  await inTheWay(page).getByRole('button', { name: 'Cancel' }).first().click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(/20 credit points/)).toBeVisible()
  await sheet.getByRole('button', { name: 'Cancel order' }).click()
  await expect(sheet).toHaveCount(0)
  await inTheWay(page).getByRole('button', { name: 'Revoke' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Revoke this ad?' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke ad' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(sent).toEqual([
    '/api/c2c/deal/order/cancel/o-pay',
    expect.stringMatching(/^\/api\/c2c\/advert\/cancel\//),
  ])
})

test('the list of what prevents a withdrawal says that it cannot be loaded, and recovers', async ({
  page,
}) => {
  let broken = true
  await page.route('**/api/balance/obstacles', (route) =>
    broken
      ? route.fulfill({ status: 403, json: { code: '1003', message: '', data: null } })
      : route.fallback(),
  )
  await page.goto('/fundRecord')
  await expect(page.getByText('Couldn’t load this')).toBeVisible()
  broken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(inTheWay(page)).toBeVisible()
})

for (const [what, path] of [
  ['an ad that waits for its deposit', '/creating?id=ad-2'],
  ['a cancelled order with unused coins', '/orderDetail?id=o-left'],
  ['the personal center', '/personalCenter'],
] as const) {
  test(`${what} states when temporary balance can be withdrawn`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByText(CONDITION).first()).toBeVisible()
  })
}

test('cancelling an ad that waits for its deposit states when its coins can be withdrawn', async ({
  page,
}) => {
  await page.goto('/creating?id=ad-2')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Cancel this ad?' }).getByText(CONDITION)).toBeVisible()
})
