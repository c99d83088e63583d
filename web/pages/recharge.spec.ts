import { expect, test } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { config } from '../mock/market.ts'
import { orders } from '../mock/orders.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('the address, what it accepts and what becomes of it are on one screen', async ({ page }) => {
  await page.goto('/personalCenter')
  await page.getByRole('link', { name: 'Deposit coins' }).click()
  await expect(page).toHaveURL('/recharge')
  await expect(page.getByRole('img', { name: /^QR code of your escrow address 0x/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy Address', exact: true })).toBeVisible()
  await expect(page.getByText('3 confirmations', { exact: true })).toBeVisible()
  const accepted = page.getByRole('list', { name: 'Accepted', exact: true })
  await expect(accepted.getByRole('listitem')).toHaveCount(
    config.coins.filter((one) => one.kind !== 'fiat').length,
  )
  await expect(accepted).toContainText('Send more than 0.01 MEC')
  await expect(page.getByRole('list', { name: 'Not accepted' })).toContainText('Anything on Tron (TRC20)')
  await expect(page.getByText('12.5 temporary balance')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
})

test('the coins and chains are those of the server', async ({ page }) => {
  await page.route('**/api/c2c/coin/config', (route) =>
    fulfillWith(route, {
      ...config,
      coins: config.coins.slice(0, 1),
      chains: [],
      escrowChain: { chainId: 31337, name: 'Another chain', confirmations: 12 },
    }),
  )
  await page.goto('/recharge')
  await expect(page.getByText('Another chain, ID 31337')).toBeVisible()
  await expect(page.getByText('12 confirmations')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Accepted', exact: true }).getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Not accepted' }).getByRole('listitem')).toHaveCount(1)
})

test('a deposit is shown while it is being confirmed', async ({ page }) => {
  await page.goto('/recharge')
  const arriving = page.getByRole('list', { name: 'Deposits on the way' }).getByRole('listitem')
  await expect(arriving).toHaveCount(1)
  await expect(arriving).toContainText('+350 MEC')
  await expect(arriving).toContainText('1 of 3 confirmations')
  await expect(arriving.locator('a[href^="https://explorer.example/tx/0x"]')).toBeVisible()
  await arriving.getByRole('link', { name: '350' }).click()
  await expect(page).toHaveURL('/fundRecordDetails?id=f-1')
})

test('ads and orders that wait for coins get them first', async ({ page }) => {
  const advert = adverts.find((one) => one.id === 'ad-2')
  const order = orders.find((one) => one.id === 'o-deposit')
  await page.route('**/api/balance/obstacles', (route) =>
    fulfillWith(route, { adverts: [advert, adverts[0]], orders: [order, orders[0]] }),
  )
  await page.goto('/recharge')
  await expect(page.getByText('Coins sent here go to these ads and orders first.')).toBeVisible()
  const waiting = page.getByRole('list', { name: 'Waiting for coins' }).getByRole('listitem')
  await expect(waiting).toHaveCount(2)
  await expect(waiting.first()).toContainText('still to send')
  await waiting.last().getByRole('link').click()
  await expect(page).toHaveURL('/creating?id=ad-2')
})

test('nothing on the way is said, too', async ({ page }) => {
  await page.route('**/api/balance/detail*', (route) =>
    fulfillWith(route, { records: [], total: 0, page: 1, size: 50 }),
  )
  await page.route('**/api/balance/obstacles', (route) => fulfillWith(route, { adverts: [], orders: [] }))
  await page.goto('/recharge')
  await expect(page.getByText('A transfer appears here once it’s on-chain')).toBeVisible()
  await expect(page.getByText('Waiting for coins')).toHaveCount(0)
})

test('the fund records lead to the address', async ({ page }) => {
  await page.goto('/fundRecord')
  await page.getByRole('link', { name: 'Deposit coins' }).click()
  await expect(page).toHaveURL('/recharge')
})
