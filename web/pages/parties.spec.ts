import { expect, type Page, test } from '@playwright/test'
import { orders } from '../mock/orders.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

/** Opens an order of the mock with some fields changed. */
async function openOrder(page: Page, id: string, change: object): Promise<void> {
  const order = orders.find((one) => one.id === id)
  await page.route(`**/api/c2c/deal/order/${id}`, (route) => fulfillWith(route, { ...order, ...change }))
  await page.goto(`/orderDetail?id=${id}`)
}

for (const [role, cancelledBy, said] of [
  ['BUYER', 'BUYER', 'You cancelled the order.'],
  ['BUYER', 'SELLER', 'The seller cancelled the order.'],
  ['SELLER', 'BUYER', 'The buyer cancelled the order.'],
] as const) {
  test(`a ${role} reads that the order was cancelled by the ${cancelledBy}`, async ({ page }) => {
    await openOrder(page, 'o-cancelled', { role, cancelledBy, endReason: 'WITHDRAWN' })
    await expect(page.getByText(said)).toBeVisible()
  })
}

test('each party reads the steps and the payment in its own words', async ({ page }) => {
  const steps = page.getByRole('list', { name: 'Order progress' })
  await page.goto('/orderDetail?id=o-wait')
  await expect(steps.getByText('You paid', { exact: false })).toBeVisible()
  await expect(steps.getByText('Buyer paid')).toHaveCount(0)
  await page.goto('/orderDetail?id=o-confirm')
  await expect(steps.getByText('Buyer paid')).toBeVisible()
  await page.goto('/orderDetail?id=o-done')
  await expect(steps.getByText('You received the payment')).toBeVisible()
})

test('the first steps of an order are those that are done', async ({ page }) => {
  await page.goto('/orderDetail?id=o-accept')
  await expect(page.getByText(/^Step 2 of 5 · Acceptance/)).toBeVisible()
  const steps = page.getByRole('list', { name: 'Order progress' }).getByRole('listitem')
  await expect(steps.nth(0)).toContainText('Coins in escrow, done')
  await expect(steps.nth(1)).toHaveAttribute('aria-current', 'step')
})

test('only a buyer who may be about to pay is told not to pay', async ({ page }) => {
  const warning = page.getByText('Don’t pay until then.')
  const overlay = { overlay: 'UNDER_APPEAL', appeal: orders.find(({ id }) => id === 'o-appealed')?.appeal }
  await openOrder(page, 'o-paying', { ...overlay, actions: [] })
  await expect(warning).toBeVisible()
  await page.goto('/orderDetail?id=o-decided')
  await expect(page.getByText('An officer has decided the appeal.')).toBeVisible()
  await expect(warning).toHaveCount(0)
  await page.goto('/orderDetail?id=o-appealed')
  await expect(page.getByText('This order is locked until the appeal ends.')).toBeVisible()
  await expect(warning).toHaveCount(0)
})

test('a buyer who has paid sees chat, receipt and appeal first, and cancel last', async ({ page }) => {
  await page.goto('/orderDetail?id=o-wait')
  const bar = page.locator('[data-bar="act"]')
  await expect(bar.locator('a, button')).toHaveText(['Chat', 'Send receipt', 'Appeal', 'Cancel'])
  // All of them fit on a phone.
  for (const one of await bar.locator('a, button').all()) {
    const box = await one.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(390)
  }
  // Where to pay is below what is still needed.
  const receipt = page.getByRole('heading', { name: 'Payment receipt' })
  const payTo = page.getByRole('heading', { name: 'Payment details' })
  const [first, second] = [await receipt.boundingBox(), await payTo.boundingBox()]
  expect(first?.y ?? Infinity).toBeLessThan(second?.y ?? 0)
  await bar.getByRole('link', { name: 'Appeal' }).click()
  await expect(page).toHaveURL('/appeal?id=o-wait')
})

test('a rejection may say why, and the taker reads it', async ({ page }) => {
  const order = orders.find(({ id }) => id === 'o-accept')
  const sent: unknown[] = []
  await page.route('**/api/c2c/deal/order/cancel/*', (route) => {
    sent.push(route.request().postDataJSON())
    return fulfillWith(route, {
      ...order,
      state: 'REJECTED',
      actions: [],
    })
  })
  await page.goto('/orderDetail?id=o-accept')
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Reason (optional)').fill('My bank is\nclosed today.')
  await sheet.getByRole('button', { name: 'Reject order' }).click()
  await expect(sheet).toHaveCount(0)
  expect(sent).toEqual([
    { version: order?.version, reputationCost: expect.any(Number), reason: 'My bank is closed today.' },
  ])
  await page.goto('/orderDetail?id=o-rejected')
  await expect(page.getByText('Reason: “My bank is closed today.”')).toBeVisible()
})

test('a refused reason is said at its field', async ({ page }) => {
  const data = { field: 'reason', reason: 'contact information' }
  await page.route('**/api/c2c/deal/order/cancel/*', (route) =>
    route.fulfill({ status: 422, json: { code: '1030', message: 'Not allowed.', data } }),
  )
  await page.goto('/orderDetail?id=o-accept')
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  const reason = page.getByRole('dialog').getByLabel('Reason (optional)')
  await reason.fill('call 0901 234 567')
  await page.getByRole('button', { name: 'Reject order' }).click()
  await expect(reason).toHaveAccessibleDescription(
    'Don’t include phone numbers, links, account names or email addresses.',
  )
  await expect(page.getByRole('status').filter({ hasText: /./ })).toHaveCount(0)
  await reason.fill('call me')
  await expect(reason).toHaveAccessibleDescription('The other party sees it.')
})

test('a message about a failed command covers no button', async ({ page }) => {
  await page.route('**/api/c2c/deal/order/pay/*', (route) => route.abort())
  await page.goto('/orderDetail?id=o-pay')
  await page.getByRole('button', { name: 'I have paid' }).click()
  const send = page.getByRole('button', { name: /^Yes, I’ve paid/ })
  await send.click()
  const toast = page.getByRole('status').filter({ hasText: 'The network is unstable.' }).locator('> div')
  await expect(toast).toBeVisible()
  for (const button of await page.getByRole('dialog').getByRole('button').all()) {
    const [above, below] = [await toast.boundingBox(), await button.boundingBox()]
    if (above === null || below === null) continue
    const apart = above.y + above.height <= below.y || below.y + below.height <= above.y
    expect(apart, (await button.textContent()) ?? '').toBe(true)
  }
})

test('amounts of money have the decimals of their currency', async ({ page }) => {
  await openOrder(page, 'o-paying', { total: '48.5' })
  await expect(page.getByText('48.50 USD').first()).toBeVisible()
  await openOrder(page, 'o-usdt', { total: '48.5', quote: 'USDT' })
  await expect(page.getByText('48.5 USDT').first()).toBeVisible()
})
