import { expect, test } from '@playwright/test'
import { open } from './consolePage.ts'
import { fulfillWith } from './overrides.ts'

test('stopped payouts appear on their page when the navigation counts them', async ({ page }) => {
  await page.clock.install()
  let stopped = false
  await page.route('**/api/console/waiting', (route) =>
    fulfillWith(route, { appeals: null, nicknames: 0, payouts: stopped ? 1 : 0 }),
  )
  await page.route('**/api/console/payouts', async (route) => {
    if (stopped) return route.fallback()
    return fulfillWith(route, { stops: [], vaults: [], uncredited: [], failing: [] })
  })
  let views = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/console/payouts')) views += 1
  })
  await open(page, '/console/payouts')
  await expect(page.getByText('All payouts are running')).toBeVisible()
  await page.clock.runFor(31_000)
  // Each view is recorded, so the page is not fetched again without need.
  expect(views).toBe(1)
  stopped = true
  // In small steps, so that no request in flight reaches its timeout and is repeated.
  await expect(async () => {
    await page.clock.runFor(1_000)
    await expect(page.getByRole('heading', { name: 'Stopped coins' })).toBeVisible({ timeout: 200 })
  }).toPass()
  await expect(page.getByText('All payouts are running')).toHaveCount(0)
  expect(views).toBe(2)
})

test('an NFT of an unknown collection is found by its transaction, with the call that returns it', async ({
  page,
}) => {
  const last = `${2n ** 256n - 1n}`
  const nft = {
    userId: '0190c0de-0000-7000-8000-000000000007',
    vault: '0x7A7a7A7a7a7a7a7A7a7a7a7A7a7a7a7A7a7a7a7a',
    collection: '0xC0c0C0C0c0C0C0c0c0c0c0C0c0C0c0C0c0C0c0C0',
    nftId: last,
    recipient: '0x5E5e5E5E5E5e5e5E5e5E5E5E5E5E5E5e5E5E5e5e',
    to: '0xE5e5e5E5e5e5e5E5e5E5e5E5e5e5E5E5e5E5E5e5',
    data: '0x1234',
  }
  let final = true
  await page.route('**/api/console/unlisted-nfts?*', (route) =>
    fulfillWith(
      route,
      final && new URL(route.request().url()).searchParams.get('transaction') === '0xab' ? [nft] : [],
    ),
  )
  await open(page, '/console/payouts')
  await page.getByLabel('Transaction').fill('0xcd')
  await page.keyboard.press('Enter')
  await expect(page.getByText('There’s nothing to return')).toBeVisible()
  await page.getByLabel('Transaction').fill('0xab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: `Number ${last}` })).toBeVisible()
  await expect(page.getByText(nft.recipient)).toBeVisible()
  await expect(page.getByText(nft.data)).toBeVisible()
  // The address keeps the search, and the same search asks again.
  await expect(page).toHaveURL('/console/payouts?transaction=0xab')
  final = false
  await page.reload()
  await expect(page.getByText('There’s nothing to return')).toBeVisible()
  final = true
  await page.getByLabel('Transaction').press('Enter')
  await expect(page.getByRole('heading', { name: `Number ${last}` })).toBeVisible()
})
