import { expect, type Locator, type Page, test } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { orders } from '../mock/orders.ts'
import { balance } from '../mock/wallet.ts'
import { fulfillWith, overrideAdvert, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const deposit = adverts.find((one) => one.id === 'ad-2')?.deposit

/** Checks that an element is visible without scrolling, and above the bar with the button. */
async function seenAtOnce(page: Page, what: Locator) {
  await expect(what).toBeVisible()
  const bar = await page.locator('[data-bar="act"]').boundingBox()
  const box = await what.boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(56)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
}

for (const path of ['/creating?id=ad-2', '/orderDetail?id=o-auto']) {
  test(`${path}: the amount and address to send to are visible on a phone without scrolling`, async ({
    page,
  }) => {
    await page.goto(path)
    await seenAtOnce(page, page.getByRole('img', { name: /^QR code: send/ }))
    await seenAtOnce(page, page.getByRole('button', { name: 'Copy Amount', exact: true }))
    await seenAtOnce(page, page.getByRole('button', { name: 'Copy To', exact: true }))
  })
}

test('the order progress is below the payment details', async ({ page }) => {
  await page.goto('/orderDetail?id=o-pay')
  await expect(page.getByText('Step 3 of 5')).toBeVisible()
  const details = await page.getByText('Payment details').boundingBox()
  const steps = await page.getByRole('list', { name: 'Order progress' }).boundingBox()
  expect(details?.y ?? 0).toBeLessThan(steps?.y ?? 0)
  expect(details?.y ?? 0).toBeLessThan(500)
})

test('after sending, the user sees that nothing has arrived yet, then what has arrived', async ({ page }) => {
  let come = {}
  await overrideAdvert(page, 'ad-2', () => ({ deposit: { ...deposit, ...come } }))
  await page.route('**/api/c2c/advert/deposit/ad-2', (route) =>
    fulfillWith(route, { ...adverts.find((one) => one.id === 'ad-2'), deposit: { ...deposit, ...come } }),
  )
  await page.goto('/creating?id=ad-2')
  await page.getByRole('button', { name: 'I have sent it' }).click()
  const told = page.getByRole('status').filter({ hasText: 'Checked at' })
  await expect(told).toContainText('Escrow hasn’t received any MEC.')
  come = {
    confirming: '400',
    shortfall: '600',
    confirmations: { seen: 1, needed: 3 },
    transfers: [{ hash: `0x${'1'.padStart(64, '0')}`, amount: '400', confirmations: 1 }],
  }
  await expect(told).toContainText('Received 400 MEC. 1 of 3 confirmations. 600 MEC still to send.')
  come = { received: '400', confirming: '600', shortfall: '0', confirmations: { seen: 2, needed: 3 } }
  await expect(told).toContainText('Received 1,000 MEC. 2 of 3 confirmations.')
  await expect(told).not.toContainText('still to send')
})

test('after paying an automatic order, the buyer sees that nothing has arrived yet', async ({ page }) => {
  await page.goto('/orderDetail?id=o-auto')
  await page.getByRole('button', { name: 'I have sent it' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Checked at' })).toContainText(
    'Escrow hasn’t received any USDT.',
  )
})

test('a user who sent too much sees the excess and a link to the temporary balance', async ({ page }) => {
  const [mec] = balance.lines
  await page.route('**/api/balance', (route) =>
    fulfillWith(route, { ...balance, lines: [{ ...mec, asset: 'MEC', temporary: '15' }] }),
  )
  let now: object = {
    deposit: {
      ...deposit,
      confirming: '1015',
      shortfall: '0',
      excess: '15',
      confirmations: { seen: 1, needed: 3 },
    },
  }
  await overrideAdvert(page, 'ad-2', () => now)
  await page.goto('/creating?id=ad-2')
  await expect(page.getByText('Deposit received. Confirming on-chain.')).toBeVisible()
  now = { state: 'ONLINE', deposit: null }
  await expect(page.getByText('Your ad is posted')).toBeVisible()
  await expect(page.getByText('You sent 15 MEC more than the ad needs.')).toBeVisible()
  // After a reload, only the balance shows the excess.
  await page.reload()
  await expect(page.getByText('Your temporary balance is 15 MEC.')).toBeVisible()
  await page.getByRole('link', { name: 'Use or withdraw' }).click()
  await expect(page).toHaveURL(/\/fundRecord$/)
})

test('a buyer who overpaid sees the temporary balance during the release', async ({ page }) => {
  const auto = orders.find((one) => one.id === 'o-auto')
  await page.route('**/api/c2c/deal/order/o-auto', (route) =>
    fulfillWith(route, {
      ...auto,
      state: 'RELEASING',
      deposit: null,
      actions: [],
      deadline: null,
      money: 'IN_FLIGHT',
      quoteMoney: 'IN_FLIGHT',
    }),
  )
  await page.goto('/orderDetail?id=o-auto')
  await expect(page.getByText('You have 21.5 USDT in your temporary balance')).toBeVisible()
})
