import { expect, type Page, test } from '@playwright/test'
import { nftAdverts } from '../mock/nftTrades.ts'
import { orders } from '../mock/orders.ts'
import type { Advert } from '../src/api/types.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const line = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name })

test('an order about an NFT shows the NFT instead of an amount', async ({ page }) => {
  await page.goto('/orderDetail?id=o-nft')
  const main = page.getByRole('main')
  await expect(main.getByText('Mecha Gardens #213 is locked in escrow on-chain.')).toBeVisible()
  const details = main.locator('section').filter({ hasText: 'Trade details' })
  await expect(details.getByRole('img', { name: 'Picture of Brass Iris No. 213' })).toBeVisible()
  await expect(details).toContainText('Price118.5 USDT')
  await expect(details).toContainText('Fee2 MECprepaid by the seller')
  await expect(details).toContainText('You receiveMecha Gardens #213')
  await expect(details).not.toContainText('Quantity')
  await expect(main).not.toContainText('ART')
})

test('the seller releases the NFT', async ({ page }) => {
  await page.goto('/orderDetail?id=o-nft-sold')
  await page.getByRole('button', { name: 'Payment received' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('heading', { name: 'Release Mecha Gardens #55?' })).toBeVisible()
  await expect(sheet.getByRole('img', { name: 'Picture of Copper Fern No. 55' })).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Release Mecha Gardens #55' })).toBeVisible()
})

test('an order about an NFT is completed when the buyer has the NFT', async ({ page }) => {
  await page.goto('/orderDetail?id=o-nft-done')
  await expect(page.getByRole('heading', { name: /The buyer has received the NFT/ })).toBeVisible()
  await expect(page.getByText('Mecha Gardens #252 has arrived at the buyer’s address.')).toBeVisible()
})

test('lists show the picture and number of an NFT', async ({ page }) => {
  const records = orders.filter((one) => one.nft !== null)
  await page.route('**/api/c2c/deal/order/page?*', (route) =>
    fulfillWith(route, { records, total: records.length, page: 1, size: 20 }),
  )
  for (const [path, picture] of [
    ['/order', 'Brass Iris No. 213'],
    ['/chat', 'Brass Iris No. 213'],
    ['/fundRecord', 'Neon Moss No. 34'],
  ] as const) {
    await page.goto(path)
    const row = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('img', { name: `Picture of ${picture}` }) })
    await expect(row, path).toBeVisible()
    await expect(row, path).toContainText(/Mecha Gardens #(213|34)/)
    await expect(row, path).not.toContainText('ART')
  }
})

test('the chat, the appeal and the fund record show the picture and number of the NFT', async ({ page }) => {
  for (const [path, name, said] of [
    ['/chat?id=o-nft', 'Picture of Brass Iris No. 213', 'Buy Mecha Gardens #213 for 118.5 USDT'],
    [
      '/appeal?id=o-nft-appealed',
      'No picture of Chrome Thistle No. 239: It’s an SVG file, which can contain code.',
      'You buy Mecha Gardens #239 for 118.50 USD',
    ],
    ['/fundRecordDetails?id=f-9', 'Picture of Neon Moss No. 34', '+Mecha Gardens #34'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('img', { name }), path).toBeVisible()
    await expect(page.getByText(said).first(), path).toBeVisible()
    await expect(page.getByRole('main').getByText('1 ART'), path).toHaveCount(0)
  }
})

test('a verdict about an NFT names the NFT, whose fee is prepaid', async ({ page }) => {
  const found = orders.find((one) => one.id === 'o-nft-appealed')
  const executesAt = new Date(Date.now() + 3_600_000).toISOString()
  for (const [kind, outcome, pending, done] of [
    [
      'MANUAL',
      'RELEASE',
      /^Mecha Gardens #239 will be released to the buyer in /,
      'is released to the buyer.',
    ],
    [
      'MANUAL',
      'CANCEL',
      /, and Mecha Gardens #239 goes back to where it came from\./,
      'The order was cancelled, and Mecha Gardens #239 goes back to where it came from.',
    ],
    [
      'AUTOMATIC',
      'RELEASE',
      /will be released to the buyer, and \S+ USDT to the seller\./,
      'USDT to the seller.',
    ],
    [
      'AUTOMATIC',
      'CANCEL',
      /each party gets back what it has in escrow\./,
      'each party gets back what it had in escrow.',
    ],
  ] as const) {
    for (const [status, said] of [
      ['DECIDED', pending],
      ['EXECUTED', done],
    ] as const) {
      const ended = status === 'EXECUTED'
      const verdict = ended ? { executesAt: null, endedAt: executesAt } : { executesAt, endedAt: null }
      const appeal = { ...found?.appeal, status, outcome, ...verdict }
      await page.route('**/api/c2c/deal/order/o-nft-appealed', (route) =>
        fulfillWith(route, { ...found, kind, quote: 'USDT', appeal }),
      )
      await page.goto('/appeal?id=o-nft-appealed')
      await expect(page.getByText(said), `${kind} ${outcome} ${status}`).toBeVisible()
      await expect(page.getByRole('main')).not.toContainText(/\bART\b|minus .* fee/)
      await page.unroute('**/api/c2c/deal/order/o-nft-appealed')
    }
  }
})

test('what a seller of an NFT has prepaid is part of what a release moves', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-nft-sold')
  const prepaid = { asset: 'MEC', party: 'SELLER', address: null } as const
  const movements = [
    { kind: 'PAYOUT', asset: 'ART', amount: '1', party: 'BUYER', address: `0x${'1'.repeat(40)}` },
    { kind: 'PREPAID_FEE', amount: '2', ...prepaid },
    { kind: 'PREPAID_NETWORK_FEE', amount: '0.4', ...prepaid },
  ]
  const actions = order?.actions.map((one) => (one.action === 'confirm' ? { ...one, movements } : one))
  await page.route('**/api/c2c/deal/order/o-nft-sold', (route) => fulfillWith(route, { ...order, actions }))
  await page.goto('/orderDetail?id=o-nft-sold')
  await page.getByRole('button', { name: 'Payment received' }).click()
  const moves = page.getByRole('dialog').locator('section').filter({ hasText: 'What happens in escrow' })
  await expect(moves.locator('dl > div')).toHaveText([
    /^To the buyerMecha Gardens #55/,
    /^Prepaid fee, kept by MEC2C2 MEC$/,
    /^Prepaid network fee, used for the transfer0\.4 MEC$/,
  ])
})

test('an NFT that can’t be returned stays in custody, not in the temporary balance', async ({ page }) => {
  const [sold] = nftAdverts()
  const kept = {
    kind: 'TEMPORARY_BALANCE',
    asset: 'ART',
    amount: '1',
    party: 'SELLER',
    address: null,
  } as const
  const show = (change: Partial<Advert>) =>
    page.route('**/api/c2c/advert/pageByUser*', (route) =>
      fulfillWith(route, { records: [{ ...sold, ...change }], total: 1, page: 1, size: 20 }),
    )
  const revoke = async () => {
    await page.goto('/myAdvert')
    await page.getByRole('button', { name: 'Revoke' }).click()
    return page.getByRole('dialog', { name: 'Revoke this ad?' })
  }
  const back = {
    kind: 'PREPAYMENT_RETURNED',
    asset: 'MEC',
    amount: '2.4',
    party: 'SELLER',
    address: null,
  } as const
  await show({ runningOrders: 0, revocation: [kept, back] })
  const sheet = await revoke()
  await expect(sheet.locator('dl > div')).toHaveText([
    'To your NFTs in custodyMecha Gardens #34',
    'Prepaid, back to your temporary balance2.4 MEC',
  ])
  await expect(sheet).not.toContainText(/withdraw it to your bound address|network fee of a refund/)
  // The NFT is in the order, so nothing returns yet, and what was prepaid depends on how the order ends.
  await show({ runningOrders: 1, remaining: '0', revocation: [] })
  await revoke()
  await expect(sheet).toContainText('If the order is completed, MEC2C keeps the prepaid fee of 2 MEC.')
  await expect(sheet).toContainText('The prepaid network fee of 0.4 MEC is used for the transfer.')
})

test('a buyer is warned of an NFT that can’t be delivered for now', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-nft')
  await page.route('**/api/c2c/deal/order/o-nft', (route) =>
    fulfillWith(route, { ...order, overlay: 'PAUSED' }),
  )
  await page.goto('/orderDetail?id=o-nft')
  await expect(page.getByText('Don’t pay now: it can’t be delivered until that’s clear.')).toBeVisible()
  await expect(page.getByText('If you cancel or don’t pay, it doesn’t count against you.')).toBeVisible()
  // Who has paid just before the pause can say so.
  await expect(page.getByRole('button', { name: 'I have paid' })).toBeEnabled()
})

test('a record of an NFT that changes no balance shows no change', async ({ page }) => {
  let effect = '1'
  await page.route('**/api/balance/record/f-9', async (route) => {
    const { data } = await (await route.fetch()).json()
    await fulfillWith(route, { ...data, effect })
  })
  await page.goto('/fundRecordDetails?id=f-9')
  await expect(line(page, 'Balance change')).toContainText('+Mecha Gardens #34')
  effect = '0'
  await page.reload()
  await expect(line(page, 'Time')).toBeVisible()
  await expect(line(page, 'Balance change')).toHaveCount(0)
})

test('sentences about an order for an NFT name the NFT, not coins', async ({ page }) => {
  for (const path of ['/appeal?id=o-nft-appealed', '/orderDetail?id=o-nft', '/chat?id=o-nft']) {
    await page.goto(path)
    const main = page.getByRole('main')
    await expect(main.getByText(/Mecha Gardens #\d+/).first(), path).toBeVisible()
    await expect(main, path).not.toContainText(/\bcoins\b/i)
  }
})
