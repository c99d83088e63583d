import { expect, type Page, test } from '@playwright/test'
import { adverts, prepaying } from '../mock/adverts.ts'
import { balance } from '../mock/wallet.ts'
import type { Deposit } from '../src/api/types.ts'
import { fulfillWith, overrideAdvert, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const line = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name })
const next = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()

/** Chooses USDT and a manual release for the NFTs of the album that is chosen. */
async function toNft(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'What do you want to be paid in?' }).getByLabel(/^USDT/).check()
  await page.getByLabel(/^Manual release/).check()
  await next(page)
}

/** Answers the creation of an ad, and returns what was sent. */
async function created(page: Page): Promise<Record<string, unknown>[]> {
  const sent: Record<string, unknown>[] = []
  await page.route('**/api/c2c/advert/create', (route) => {
    sent.push(route.request().postDataJSON())
    return fulfillWith(
      route,
      adverts.find((one) => one.id === 'ad-11'),
    )
  })
  return sent
}

test('an NFT in custody is offered from the list of one’s NFTs', async ({ page }) => {
  const sent = await created(page)
  await page.goto('/nft/list')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Mecha Gardens #17' })
    .getByRole('link', { name: 'Sell' })
    .click()
  await expect(page).toHaveURL('/publish')
  await expect(page.getByRole('radio', { name: /^Mecha Gardens/ })).toBeChecked()
  await toNft(page)
  await expect(page.getByRole('radio', { name: /Chrome Thistle No. 17/ })).toBeChecked()
  await page.getByLabel('Price of the NFT').fill('125.5')
  await next(page)
  // An NFT has no limits.
  await expect(page.getByLabel('Remark (optional)')).toBeVisible()
  await expect(page.getByLabel('Minimum per order')).toHaveCount(0)
  await next(page)
  await expect(line(page, 'Price')).toContainText('125.5 USDT')
  await expect(line(page, 'Fee for the sale')).toContainText('2 MEC')
  await expect(line(page, 'Network fee')).toContainText('0.4 MEC')
  await expect(line(page, 'Together')).toContainText('2.4 MEC')
  await expect(line(page, 'Your temporary balance')).toContainText('12.5 MEC')
  await expect(page.getByText('The NFT is in custody already, so there’s nothing to deposit.')).toBeVisible()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page).toHaveURL('/creatingOther?id=ad-11')
  await expect(page.getByText('Your ad is posted')).toBeVisible()
  expect(sent).toMatchObject([
    {
      ...{ side: 'SELL', kind: 'MANUAL', base: 'ART', quote: 'USDT', price: '125.5' },
      nftId: '17',
    },
  ])
})

test('an NFT in the user’s wallet is announced by its number', async ({ page }) => {
  const sent = await created(page)
  await page.goto('/publish')
  await page.getByRole('radio', { name: /^Mecha Gardens/ }).check()
  await toNft(page)
  await next(page)
  await expect(page.getByText('Choose an NFT.')).toBeVisible()
  await page.getByRole('radio', { name: 'In my wallet' }).check({ force: true })
  const number = page.getByLabel('Number of the NFT')
  await number.fill('#4 711')
  await expect(number).toHaveValue('4711')
  await page.getByLabel('Price of the NFT').fill('115')
  await next(page)
  await next(page)
  await expect(page.getByText('Mecha Gardens #4711')).toBeVisible()
  await expect(page.getByText('Next, send the NFT from your own wallet')).toBeVisible()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page).toHaveURL(/\/creatingOther/)
  expect(sent).toMatchObject([{ nftId: '4711' }])
})

test('a number that is not in the album is refused at its field', async ({ page }) => {
  await page.route('**/api/c2c/advert/create', (route) =>
    route.fulfill({ status: 404, json: { code: '5031', message: 'We couldn’t find this NFT.', data: null } }),
  )
  await page.goto('/publish')
  await page.getByRole('radio', { name: /^Mecha Gardens/ }).check()
  await toNft(page)
  await page.getByRole('radio', { name: 'In my wallet' }).check({ force: true })
  await page.getByLabel('Number of the NFT').fill('99999')
  await page.getByLabel('Price of the NFT').fill('115')
  await next(page)
  await next(page)
  await page.getByRole('button', { name: 'Create ad' }).click()
  const number = page.getByLabel('Number of the NFT')
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await expect(number).toHaveAccessibleDescription('We couldn’t find this NFT.')
  await number.fill('9999')
  await expect(number).not.toHaveAttribute('aria-invalid', 'true')
})

test('NFTs are only sold', async ({ page }) => {
  await page.goto('/publish')
  await page.getByRole('radio', { name: /^Mecha Gardens/ }).check()
  await page.getByRole('radio', { name: 'I want to buy' }).check({ force: true })
  await expect(page.getByRole('radio', { name: /^Mecha Gardens/ })).toHaveCount(0)
  await expect(page.getByRole('radio', { name: 'MEC', exact: true })).not.toBeChecked()
  await next(page)
  await expect(page.getByText('Choose an option.')).toBeVisible()
})

/** Shows what a seller lacks who has this temporary balance in MEC, of which some may be confirming. */
async function withBalance(page: Page, now: () => readonly [string, string?]): Promise<void> {
  await page.route('**/api/c2c/advert/prepayment?*', (route) => fulfillWith(route, prepaying(...now())))
}

/** Goes to the review of an ad that sells an NFT in custody. */
async function toReview(page: Page): Promise<void> {
  await page.goto('/publish?nft=117')
  await toNft(page)
  await page.getByLabel('Price of the NFT').fill('125')
  await next(page)
  await next(page)
}

test('a price outside the limits of the pair is refused at its field', async ({ page }) => {
  await page.goto('/publish?nft=117')
  await toNft(page)
  await page.getByLabel('Price of the NFT').fill('0.5')
  await next(page)
  await expect(page.getByLabel('Price of the NFT')).toHaveAccessibleDescription(/at least/i)
  // What the server refuses about the total is about the price, too.
  await page.route('**/api/c2c/advert/create', (route) =>
    route.fulfill({ status: 422, json: { code: '5009', message: 'Outside the limits.', data: {} } }),
  )
  await toReview(page)
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page).toHaveURL(/step=1/)
  await expect(page.getByLabel('Price of the NFT')).toHaveAccessibleDescription(/Outside the limits/)
})

test('a recharge that would cancel another ad is not offered', async ({ page }) => {
  await page.route('**/api/c2c/advert/prepayment?*', (route) =>
    fulfillWith(route, { ...prepaying('0.9'), address: null }),
  )
  await toReview(page)
  await expect(
    page.getByText('Another ad of yours waits for its deposit, and a recharge would cancel it.'),
  ).toBeVisible()
  await expect(page.getByRole('img', { name: /^QR code/ })).toHaveCount(0)
})

test('an NFT whose album is not configured any more is shown instead of sold', async ({ page }) => {
  await page.route('**/api/common/class/config', (route) => fulfillWith(route, []))
  await page.goto('/publish?nft=117')
  await expect(page).toHaveURL('/nft/purchaseOrder?id=117')
})

test('a seller whose balance does not cover what sellers prepay recharges it', async ({ page }) => {
  let now: [string, string?] = ['0.9']
  await withBalance(page, () => now)
  await toReview(page)
  await expect(line(page, 'Your temporary balance')).toContainText('0.9 MEC')
  await expect(page.getByText('Recharge insufficient: 1.5 MEC is missing. Send it')).toBeVisible()
  await expect(
    page.getByRole('img', { name: `QR code: send 1.5 MEC to ${balance.custodyAddress}` }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy To' })).toBeVisible()
  now = ['0.9', '1.5']
  await expect(page.getByText('It has arrived and is being confirmed.')).toBeVisible({ timeout: 15_000 })
  await expect(line(page, 'Being confirmed')).toContainText('1.5 MEC')
  await expect(page.getByRole('img', { name: /^QR code/ })).toHaveCount(0)
  now = ['2.4']
  await expect(page.getByText('Recharge insufficient')).toHaveCount(0, { timeout: 15_000 })
})

test('a refusal because the balance is too small is shown where it is recharged', async ({ page }) => {
  let now: [string, string?] = ['12.5']
  await withBalance(page, () => now)
  await page.route('**/api/c2c/advert/create', (route) => {
    now = ['2.25']
    const data = { needed: '2.4', shortfall: '0.15' }
    return route.fulfill({ status: 409, json: { code: '5054', message: '', data } })
  })
  await toReview(page)
  await expect(page.getByText('Recharge insufficient')).toHaveCount(0)
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Recharge insufficient' })).toContainText(
    '0.15 MEC is missing',
  )
  await expect(page.getByRole('img', { name: /^QR code: send 0.15 MEC/ })).toBeInViewport()
  await expect(page).toHaveURL('/publish?step=3')
})

const creating = adverts.find((one) => one.id === 'ad-10')

test('an ad for an NFT says what to send where, and whether it has arrived', async ({ page }) => {
  let now: Partial<Deposit> = {}
  const deposit = () => ({ ...creating?.deposit, ...now })
  await overrideAdvert(page, 'ad-10', () => ({ deposit: deposit() }))
  await page.route('**/api/c2c/advert/deposit/ad-10', (route) =>
    fulfillWith(route, { ...creating, deposit: deposit() }),
  )
  await page.goto('/creatingOther?id=ad-10')
  await expect(page.getByRole('heading', { name: /^Send Mecha Gardens #610 within/ })).toBeVisible()
  await expect(
    page.getByRole('img', { name: /^QR code: the address to which you send Mecha Gardens #610/ }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy Number' })).toBeVisible()
  await expect(page.getByText('Missing', { exact: true })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('MEC is missing')
  await page.getByRole('button', { name: 'I have sent it' }).click()
  const said = page.getByRole('status').filter({ hasText: 'Checked at' })
  await expect(said).toContainText('Escrow hasn’t received the NFT.')
  await expect(said).toContainText('tap “I have sent it” again')
  now = { confirming: '1', shortfall: '0', confirmations: { seen: 1, needed: 3 } }
  await expect(said).toContainText('The NFT has arrived.')
  await expect(page.getByText('Deposit received. Confirming on-chain.')).toBeVisible()
  await expect(page.getByText('Being confirmed 1/3')).toBeVisible()
})

test('an ad for an NFT that was not created says where everything is', async ({ page }) => {
  await overrideAdvert(page, 'ad-10', () => ({ state: 'CANCELLED', endReason: 'EXPIRED', deposit: null }))
  await page.goto('/creatingOther?id=ad-10')
  await expect(page.getByText('If the NFT has arrived, it’s in custody for you.')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'My NFTs' })).toBeVisible()
})

test('a wrong deposit and a takedown say where NFT and prepayment are', async ({ page }) => {
  const wrong = { state: 'CANCELLED', endReason: 'WRONG_DEPOSIT', deposit: null } as const
  await overrideAdvert(page, 'ad-10', () => wrong)
  await page.goto('/creatingOther?id=ad-10')
  await expect(page.getByText('or is in custody for you if it couldn’t be returned.')).toBeVisible()
  await expect(page.getByText('minus the network fee if an NFT was returned.')).toBeVisible()
  const takenDown = { reason: 'Not yours to sell.', at: '2026-01-31T12:00:00Z' }
  const ended = {
    state: 'CANCELLED',
    endReason: 'REVOKED',
    runningOrders: 0,
    deposit: null,
    takenDown,
  } as const
  await overrideAdvert(page, 'ad-11', () => ended)
  await page.goto('/creatingOther?id=ad-11')
  await expect(page.getByText('The NFT is returned to you, or stays in custody for you')).toBeVisible()
})

test('one’s ads show the NFT instead of an amount', async ({ page }) => {
  await page.goto('/myAdvert')
  const row = page.getByRole('listitem').filter({ hasText: 'Mecha Gardens #34' })
  await expect(row).toContainText('Mecha Gardens #34')
  await expect(row.getByRole('img', { name: 'Picture of Neon Moss No. 34' })).toBeVisible()
  await expect(row).not.toContainText('ART')
  await row.getByRole('button', { name: 'Details' }).click()
  await expect(line(page, 'Prepaid fees')).toContainText('2.4 MEC')
})
