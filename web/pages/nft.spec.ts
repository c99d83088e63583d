import { expect, type Page, test } from '@playwright/test'
import { ownedNfts } from '../mock/nfts.ts'
import type { OwnedNft } from '../src/api/nfts.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const line = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name })

/** Changes fields of an NFT on this page. */
async function overrideNft(page: Page, id: string, change: object): Promise<void> {
  await page.route(`**/api/nft/${id}`, async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    return fulfillWith(route, { ...data, ...change })
  })
}

test('an NFT is bought whole, at the price of its ad', async ({ page }) => {
  const sent: unknown[] = []
  await page.route('**/api/c2c/deal/order', (route) => {
    sent.push(route.request().postDataJSON())
    return route.continue()
  })
  await page.goto('/nft/purchaseOrder?adId=a-SELL-ART-USDT-0')
  await expect(page.getByRole('img', { name: 'Picture of Glass Poppy No. 200' })).toBeVisible()
  await expect(line(page, 'Fee')).toHaveText('FeePrepaid by the seller')
  await expect(line(page, 'You receive')).toContainText('Mecha Gardens #200')
  await expect(page.getByText('both sides settle in a single on-chain transaction')).toBeVisible()
  await page.getByRole('button', { name: 'Buy for 64 USDT' }).click()
  await expect(page).toHaveURL(/\/orderDetail\?id=/)
  expect(sent).toEqual([{ advertId: 'a-SELL-ART-USDT-0', price: '64', quantity: '1', fee: '0' }])
})

test('an NFT that somebody else has just ordered is not for sale', async ({ page }) => {
  const taken = { code: '5008', message: '', data: { left: '0' } }
  await page.goto('/nft/purchaseOrder?adId=a-SELL-ART-USDT-0')
  await page.route('**/api/c2c/deal/order', (route) => route.fulfill({ status: 409, json: taken }))
  await page.getByRole('button', { name: 'Buy for 64 USDT' }).click()
  await expect(page.getByText('This NFT isn’t for sale right now.')).toBeVisible()
  await page.route('**/api/c2c/advert/a-SELL-ART-USDT-0', (route) =>
    route.fulfill({ status: 409, json: taken }),
  )
  await expect(page.getByRole('button', { name: 'Buy for 64 USDT' })).toHaveCount(0, { timeout: 30_000 })
  await expect(page.getByText('This NFT isn’t for sale right now.')).toBeVisible()
  await expect(page.getByText('Couldn’t refresh')).toHaveCount(0)
  await page.goto('/nft/purchaseOrder?adId=a-SELL-ART-USDT-0')
  await expect(page.getByText('This NFT isn’t for sale right now.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('an ad that releases manually says so, and one’s own cannot be ordered from', async ({ page }) => {
  await page.goto('/nft/purchaseOrder?adId=a-SELL-ART-USDT-1')
  await expect(page.getByText(/Once the seller accepts, you have \d+ minutes to pay/)).toBeVisible()
  await page.goto('/nft/purchaseOrder?adId=a-SELL-ART-USDT-3')
  await expect(page.getByText('This is your own ad.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Buy for/ })).toBeDisabled()
})

test('a price that has changed is confirmed before an NFT is ordered', async ({ page }) => {
  await page.route('**/api/c2c/deal/order', (route) =>
    route.fulfill({ status: 409, json: { code: '5043', message: '', data: { price: '70' } } }),
  )
  await page.goto('/nft/purchaseOrder?adId=a-SELL-ART-USDT-0')
  await page.getByRole('button', { name: 'Buy for 64 USDT' }).click()
  await expect(page.getByText('The price changed from 64 to 70 USDT. No order was placed.')).toBeVisible()
  await page.getByRole('button', { name: 'Continue at 70 USDT' }).click()
  await expect(page.getByRole('button', { name: 'Buy for 70 USDT' })).toBeVisible()
})

test('an NFT paid with fiat asks how the user pays', async ({ page }) => {
  await page.goto('/nft/purchaseOrder?adId=a-SELL-ART-USD-0')
  await expect(line(page, 'You pay with')).toContainText('Bank card')
  await expect(page.getByText(/must come from an account in the name of/)).toBeVisible()
})

test('the order form for coins leads to the NFT', async ({ page }) => {
  await page.goto('/buySell?id=a-SELL-ART-USDT-0')
  await expect(page).toHaveURL('/nft/purchaseOrder?adId=a-SELL-ART-USDT-0')
})

test('the page shows what is known of an NFT, and never opens its metadata', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/nft/purchaseOrder?id=117')
  await expect(page.getByText('The metadata has changed since we first read it.')).toBeVisible()
  await expect(line(page, 'Atelier')).toContainText('Atelier Nacht')
  await expect(line(page, 'Album').first()).toContainText(
    'Ten thousand gardens that no gardener has planted.',
  )
  await expect(line(page, 'Royalty')).toContainText('7.25% to 0x2Bd5e8…Ee3b91D6')
  await expect(line(page, 'Royalty')).toContainText('Stated by the contract. MEC2C doesn’t collect it.')
  await expect(page.getByText('Holder, in on-chain custody of MEC2C')).toBeVisible()
  const address = 'https://meta.example/mecha-gardens/17.json'
  await expect(page.getByText(address)).toBeVisible()
  await expect(page.getByRole('link', { name: address })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Copy Metadata address' })).toBeVisible()
  await expect(page.getByText('don’t enter a password or connect your wallet there')).toBeVisible()
  const history = page.getByRole('list', { name: 'On-chain history' }).getByRole('listitem')
  await expect(history).toHaveCount(4)
  await expect(history.nth(0)).toContainText(/Deposited into custody\s*Confirming/)
  await expect(history.nth(1)).toContainText('104.5 USDT')
  await expect(history.nth(3)).toContainText(/Minted.*to 0x/s)
  // Transactions and addresses lead to the block explorer, which does not learn where the visitor comes from.
  const links = history.nth(1).getByRole('link')
  await expect(links).toHaveCount(3)
  await expect(links.last()).toHaveAttribute('href', /^https:\/\/explorer\.example\/tx\/0x[0-9a-f]+$/)
  await expect(links.first()).toHaveAttribute('href', /^https:\/\/explorer\.example\/address\/0x/)
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('rel', 'noreferrer noopener')
    await expect(link).toHaveAttribute('target', '_blank')
  }
  expect(asked.filter((url) => url.includes('meta.example'))).toEqual([])
})

test('without a block explorer, transactions are no links', async ({ page }) => {
  await page.route('**/api/c2c/coin/config', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    return fulfillWith(route, { ...data, explorer: null })
  })
  await page.goto('/nft/purchaseOrder?id=117')
  const history = page.getByRole('list', { name: 'On-chain history' }).getByRole('listitem')
  await expect(history).toHaveCount(4)
  await expect(history.getByRole('link')).toHaveCount(0)
})

test('an NFT that nobody can hold any more says so', async ({ page }) => {
  await overrideNft(page, '1200', {
    holder: { address: '0x0', custody: false, burned: true },
    advertId: null,
  })
  await page.goto('/nft/purchaseOrder?id=1200')
  await expect(page.getByText('Burned: no one can hold it any more')).toBeVisible()
  await expect(page.getByText('This NFT isn’t for sale right now.')).toBeVisible()
})

test('an NFT of someone else is bought from the ad that offers it', async ({ page }) => {
  await page.goto('/nft/purchaseOrder?id=1200')
  await expect(page.getByRole('button', { name: 'Buy for 64 USDT' })).toBeVisible()
})

test('an NFT or ad that does not exist says so', async ({ page }) => {
  await page.goto('/nft/purchaseOrder?id=nothing')
  await expect(page.getByText('This NFT doesn’t exist')).toBeVisible()
  await page.goto('/nft/purchaseOrder?adId=nothing')
  await expect(page.getByText('This ad isn’t available')).toBeVisible()
  await page.goto('/nft/purchaseOrder')
  await expect(page.getByText('No NFT selected')).toBeVisible()
})

test('the user’s NFTs are reached from the personal center and the balances', async ({ page }) => {
  for (const path of ['/personalCenter', '/fundRecord']) {
    await page.goto(path)
    await page.getByRole('link', { name: 'My NFTs' }).click()
    await expect(page).toHaveURL('/nft/list')
  }
  const rows = page.getByRole('list', { name: 'My NFTs' }).getByRole('listitem')
  const row = (name: string) => rows.filter({ hasText: name })
  await expect(row('Mecha Gardens #21')).toContainText('Confirming 1/3')
  await expect(row('Mecha Gardens #21').getByRole('button')).toHaveCount(0)
  await expect(row('Mecha Gardens #34').getByRole('link', { name: 'View ad' })).toBeVisible()
  await expect(row('Mecha Gardens #55').getByRole('link', { name: 'View order' })).toBeVisible()
  await expect(row('Mecha Gardens #89')).toContainText('On the way to you')
  await expect(row('Mecha Gardens #17').getByRole('link', { name: 'Sell' })).toHaveAttribute(
    'href',
    '/publish?nft=117',
  )
  await page.getByRole('button', { name: 'Tide Lines' }).click()
  await expect(rows).toHaveCount(1)
})

test('a thousand NFTs are loaded page by page', async ({ page }) => {
  const [, like] = ownedNfts
  const all = Array.from({ length: 1_000 }, (_, index) => ({
    ...like,
    id: `9${index}`,
    nftId: `${10_000 + index}`,
  })) as OwnedNft[]
  let pages = 0
  await page.route('**/api/balance/nft/list?*', (route) => {
    const query = new URL(route.request().url()).searchParams
    const [number, size] = [Number(query.get('page')), Number(query.get('size'))]
    pages = Math.max(pages, number)
    const records = all.slice((number - 1) * size, number * size)
    return fulfillWith(route, { records, total: all.length, page: number, size })
  })
  await page.goto('/nft/list')
  const rows = page.getByRole('list', { name: 'My NFTs' }).getByRole('listitem')
  await expect(page.getByText('1,000 NFTs in custody')).toBeVisible()
  await expect(rows).toHaveCount(30)
  expect(pages).toBe(1)
  await rows.last().scrollIntoViewIfNeeded()
  await expect.poll(() => rows.count()).toBeGreaterThan(30)
})

test('without NFTs, the list leads to an ad', async ({ page }) => {
  await page.route('**/api/balance/nft/list?*', (route) =>
    fulfillWith(route, { records: [], total: 0, page: 1, size: 30 }),
  )
  await page.goto('/nft/list')
  await expect(page.getByText('No NFTs in custody')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Post an ad' })).toBeVisible()
})

/** Opens the sheet that withdraws the NFT 17, and answers the withdrawal with a refusal. */
async function withdraw(page: Page, code: string, message: string, data: object | null): Promise<void> {
  await page.route('**/api/balance/extract/117', (route) =>
    route.fulfill({ status: code === '200' ? 200 : 422, json: { code, message, data } }),
  )
  await page.goto('/nft/purchaseOrder?id=117')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  const sheet = page.getByRole('dialog')
  await expect(line(page, 'Network fee').last()).toContainText('0.4 MEC')
  await expect(line(page, 'Your temporary balance').last()).toContainText('12.5 MEC')
  await sheet.getByRole('button', { name: 'Withdraw' }).click()
  await expect(sheet.getByText('Enter your security password.')).toBeVisible()
  await sheet.getByLabel('Security password').fill('Secret-123')
  await sheet.getByRole('button', { name: 'Withdraw' }).click()
}

test('an NFT is withdrawn to the bound address', async ({ page }) => {
  await withdraw(page, '200', '', { id: 'f-8' })
  await expect(page.getByText('Withdrawal submitted.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

for (const [code, message, data, said] of [
  ['5019', 'Finish your ads and orders first.', null, 'Finish your ads and orders first.'],
  [
    '5055',
    '',
    { needed: '0.4', shortfall: '0.15' },
    'doesn’t cover the network fee of 0.4 MEC. 0.15 MEC is missing.',
  ],
  ['5031', 'We couldn’t find this NFT.', null, 'We couldn’t find this NFT.'],
  ['5036', 'Your balance is on hold.', null, 'Your balance is on hold.'],
] as const) {
  test(`a withdrawal that is refused with ${code} says why`, async ({ page }) => {
    await withdraw(page, code, message, data)
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText(said)
  })
}
