import { expect, type Page, test } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { balance } from '../mock/wallet.ts'
import type { Advert, Deposit } from '../src/api/types.ts'
import { fulfillWith, lacking, overrideAdvert, overrideMissing, overrideUser, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

type Pays = 'USD' | 'USDT by hand' | 'USDT automatically'

/** Goes to the price of an ad that buys MEC. */
async function toPrice(page: Page, pays: Pays): Promise<void> {
  await page.goto('/publish')
  await page.getByText('I want to buy').click()
  await page
    .getByRole('group', { name: 'What do you want to buy?' })
    .getByRole('radio', { name: 'MEC', exact: true })
    .check()
  await page
    .getByRole('group', { name: 'What do you pay with?' })
    .getByRole('radio', { name: pays === 'USD' ? /^USD / : /^USDT/ })
    .check()
  if (pays === 'USDT by hand') await page.getByRole('radio', { name: /^Manual release/ }).check()
  if (pays === 'USDT automatically') await page.getByRole('radio', { name: /^Automatic release/ }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Price per MEC')).toBeVisible()
}

/** Goes on to the limits. */
async function toLimits(page: Page): Promise<void> {
  await page.getByLabel('Price per MEC').fill('0.48')
  await page.getByLabel('How much do you want to buy?').fill('1000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Max' }).click()
}

async function toReview(page: Page, pays: Pays): Promise<void> {
  await toPrice(page, pays)
  await toLimits(page)
  if (pays === 'USD') await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Create ad' })).toBeVisible()
}

/** Returns a line of the review. */
const line = (page: Page, name: string) =>
  page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })

/** Records what is posted. The mock answers. */
function recordPosts(page: Page): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/c2c/advert/create')) sent.push(request.postDataJSON())
  })
  return sent
}

test('a manual ad that buys needs no deposit and is posted at once', async ({ page }) => {
  const sent = recordPosts(page)
  await toPrice(page, 'USD')
  await expect(page.getByText('You deposit nothing: you pay the sellers, order by order.')).toBeVisible()
  await toLimits(page)
  await expect(page.getByText('from whose account you must pay')).toBeVisible()
  await page.getByRole('checkbox', { name: /^Bank card/ }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Buy MEC with USD')).toBeVisible()
  await expect(line(page, 'You buy')).toContainText('1,000 MEC')
  await expect(line(page, 'Total cost')).toContainText('480 USD')
  await expect(line(page, 'You deposit now')).toContainText('Nothing')
  await expect(line(page, 'You pay with')).toContainText('Bank card')
  await expect(line(page, 'Your time to pay')).toContainText('30 minutes')
  await expect(line(page, 'Fee per trade')).toContainText('0.1%, at least 0.01 MEC')
  await expect(line(page, 'What arrives')).toContainText('at your bound address 0x91f3B0')
  await expect(page.getByText('Your ad is shown as soon as you create it.')).toBeVisible()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page).toHaveURL(/\/creating\?id=/)
  await expect(page.getByText('Your ad is posted')).toBeVisible()
  await expect(page.getByText('There’s nothing to deposit.')).toBeVisible()
  await expect(page.getByText('locked in escrow')).toHaveCount(0)
  expect(sent).toEqual([
    {
      side: 'BUY',
      kind: 'MANUAL',
      base: 'MEC',
      quote: 'USD',
      price: '0.48',
      quantity: '1000',
      orderMin: '10',
      orderMax: '480',
      paymentMethodIds: ['m-1'],
      takerRequirements: {},
      farPriceConfirmed: false,
    },
  ])
})

test('a manual ad that buys for USDT says on which chains one pays, and asks for no payment method', async ({
  page,
}) => {
  const sent = recordPosts(page)
  await toReview(page, 'USDT by hand')
  await expect(line(page, 'You pay with')).toContainText('USDT, straight to the seller')
  await page.goBack()
  await expect(page.getByText('straight to the seller’s address, on ERC20 or TRC20')).toBeVisible()
  await expect(page.getByText('Receiving address')).toHaveCount(0)
  await page.goForward()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page.getByText('Your ad is posted')).toBeVisible()
  expect(sent.map((body) => [body['kind'], 'paymentMethodIds' in body])).toEqual([['MANUAL', false]])
})

test('a manual ad of a user who isn’t taking orders is ready but not shown', async ({ page }) => {
  await overrideUser(page, () => ({ online: false }))
  await page.route('**/api/c2c/advert/online*', (route) => fulfillWith(route, { online: false }))
  await page.route('**/api/c2c/advert/ad-*', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const own = { ...data.own, state: 'OFFLINE', actions: ['online', 'revoke'] }
    return fulfillWith(route, { ...data, own })
  })
  await toReview(page, 'USD')
  await page.getByRole('switch', { name: 'Take orders right away' }).click()
  await expect(page.getByText('Your ad is shown once you’re taking orders.')).toBeVisible()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page.getByText('Your ad is ready but not shown yet')).toBeVisible()
  await expect(page.getByText('No one can see your ads while you’re not taking orders.')).toBeVisible()
  await expect(page.getByText('deposit is confirmed')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Take orders' })).toBeVisible()
})

test('an automatic ad that buys escrows its USDT first', async ({ page }) => {
  const sent = recordPosts(page)
  await toPrice(page, 'USDT automatically')
  await page.getByLabel('How much do you want to buy?').fill('1000')
  await expect(page.getByText('Your temporary balance is 21.5 USDT.')).toBeVisible()
  await toLimits(page)
  await expect(page.getByText('paid from the USDT in this ad’s escrow')).toBeVisible()
  // The escrow pays at once, so there is no time to choose.
  await expect(page.getByRole('group', { name: /Time/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(line(page, 'You deposit now')).toContainText('480 USDT')
  await expect(line(page, 'You pay with')).toContainText('USDT from this ad’s escrow')
  await expect(line(page, 'Your time to pay')).toHaveCount(0)
  await expect(page.getByText('Next, send 480 USDT from your own wallet')).toBeVisible()
  await expect(
    page.getByText(/USDT you don’t spend can only be returned .* network fee of 0\.01 USDT/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page).toHaveURL(/\/creatingOther\?id=/)
  await expect(page.getByRole('heading', { name: /^Send 480 USDT within/ })).toBeVisible()
  expect(sent.map(({ side, kind }) => [side, kind])).toEqual([['BUY', 'AUTOMATIC']])
  expect(sent[0]).not.toHaveProperty('windowMinutes')
})

const buys = adverts.find((one) => one.id === 'ad-7')

test('the deposit of an automatic ad that buys names its USDT everywhere', async ({ page }) => {
  let now: Partial<Advert> = {}
  const deposit = (some: Partial<Deposit>) => ({
    deposit: buys?.deposit ? { ...buys.deposit, ...some } : null,
  })
  await overrideAdvert(page, 'ad-7', () => now)
  const [first] = balance.lines
  await page.route('**/api/balance', (route) =>
    fulfillWith(route, { ...balance, lines: [{ ...first, asset: 'USDT', temporary: '20' }] }),
  )
  await page.goto('/creatingOther?id=ad-7')
  await expect(page.getByRole('img', { name: /^QR code: send 480 USDT to 0x/ })).toBeVisible()
  await expect(page.getByText('Send only USDT, from your own wallet, on this chain.')).toBeVisible()
  await expect(page.getByText('The coins go to your own escrow address.')).toBeVisible()
  now = deposit({
    confirming: '100',
    received: '80',
    shortfall: '300',
    confirmations: { seen: 1, needed: 3 },
    transfers: [{ hash: `0x${'1'.padStart(64, '0')}`, amount: '100', confirmations: 1 }],
  })
  await expect(page.getByRole('heading', { name: /^Send 300 USDT within/ })).toBeVisible()
  await expect(page.getByText('+100 USDT')).toBeVisible()
  now = deposit({ confirming: '420', received: '80', shortfall: '0', excess: '20' })
  await expect(page.getByText('Deposit received. Confirming on-chain.')).toBeVisible()
  await expect(page.getByText('20 USDT', { exact: true })).toBeVisible()
  now = { state: 'ONLINE', deposit: null }
  await expect(page.getByText('Your deposit is confirmed and locked in escrow.')).toBeVisible()
  await expect(page.getByText('You sent 20 USDT more than the ad needs.')).toBeVisible()
  await expect(page.locator('main')).not.toContainText('MEC ')
})

test('an automatic ad that buys and wasn’t created says where its USDT is', async ({ page }) => {
  const [first] = balance.lines
  await page.route('**/api/balance', (route) =>
    fulfillWith(route, { ...balance, lines: [{ ...first, asset: 'USDT', temporary: '180' }] }),
  )
  await overrideAdvert(page, 'ad-7', () => ({
    state: 'CANCELLED',
    endReason: 'EXPIRED',
    deposit: null,
    actions: ['delete'],
  }))
  await page.goto('/creatingOther?id=ad-7')
  await expect(page.getByText('This ad wasn’t created')).toBeVisible()
  await expect(page.getByText('Your temporary balance is 180 USDT, including')).toBeVisible()
})

test('each deposit screen leads to the address of its kind of ad', async ({ page }) => {
  await page.goto('/creating?id=ad-7')
  await expect(page).toHaveURL(/\/creatingOther\?id=ad-7$/)
  await expect(page.getByRole('heading', { name: /^Send 480 USDT within/ })).toBeVisible()
  await page.goto('/creatingOther?id=ad-2')
  await expect(page).toHaveURL(/\/creating\?id=ad-2$/)
  await expect(page.getByRole('heading', { name: /^Send 1,000 MEC within/ })).toBeVisible()
  await page.goto('/myAdvert')
  await page.locator('label', { hasText: /^Offline/ }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Buy MEC' }).filter({ hasText: 'Awaiting' })
  await row.first().getByRole('link', { name: 'Deposit' }).click()
  await expect(page).toHaveURL(/\/creatingOther\?id=/)
})

test('the server is asked about the side of the ad', async ({ page }) => {
  const prices: (string | null)[] = []
  await page.route('**/api/c2c/advert/price*', (route) => {
    prices.push(new URL(route.request().url()).searchParams.get('side'))
    return route.fallback()
  })
  await overrideMissing(page, (query) => {
    const automatic = query.get('side') === 'BUY' && query.get('kind') === 'AUTOMATIC'
    return automatic ? [lacking('NICKNAME')] : []
  })
  await page.goto('/publish')
  await page.getByText('I want to buy').click()
  await page.getByRole('radio', { name: 'MEC', exact: true }).check()
  await page
    .getByRole('group', { name: 'What do you pay with?' })
    .getByRole('radio', { name: /^USDT/ })
    .check()
  await page.getByRole('radio', { name: /^Automatic release/ }).check()
  await expect(page.getByRole('link', { name: 'Set a nickname' })).toBeVisible()
  await page.getByRole('radio', { name: /^Manual release/ }).check()
  await expect(page.getByRole('link', { name: 'Set a nickname' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Price per MEC').fill('0.48')
  await expect(page.getByText('Place among the offers')).toBeVisible()
  await expect.poll(() => prices).toContain('BUY')
  expect(prices).not.toContain('SELL')
})

test('another side keeps what was entered, and the keyboard reaches both', async ({ page }) => {
  await page.goto('/publish')
  const side = page.getByRole('group', { name: 'What do you want to do?' })
  await expect(side.getByRole('radio', { name: 'I want to sell' })).toBeChecked()
  await side.getByRole('radio', { name: 'I want to sell' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(side.getByRole('radio', { name: 'I want to buy' })).toBeChecked()
  await page.getByRole('radio', { name: 'MEC', exact: true }).check()
  await page.getByRole('radio', { name: /^USD / }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await toLimits(page)
  await page.goBack()
  await page.goBack()
  await page.getByText('I want to sell').click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Price per MEC')).toHaveValue('0.48')
  await expect(page.getByLabel('How much are you selling?')).toHaveValue(/^1.000$/)
  await expect(page.getByText('Total value')).toBeVisible()
})

test('a far price is confirmed for one side only', async ({ page }) => {
  await page.route('**/api/c2c/coin/config', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const pairs = data.pairs.map((pair: object) => ({ ...pair, priceMin: null, priceMax: null }))
    return fulfillWith(route, { ...data, pairs })
  })
  await toPrice(page, 'USD')
  await page.getByLabel('Price per MEC').fill('0.9')
  await page.getByLabel('How much do you want to buy?').fill('1000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Max' }).click()
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Continue' }).click()
  const tick = page.getByRole('checkbox', { name: 'The price of 0.9 USD is right' })
  await tick.check()
  await page.goBack()
  await page.goBack()
  await page.goBack()
  await page.getByText('I want to sell').click()
  for (let step = 0; step < 3; step++) await page.getByRole('button', { name: 'Continue' }).click()
  await expect(tick).not.toBeChecked()
})

for (const [side, name] of [
  ['I want to sell', 'Time buyers have to pay'],
  ['I want to buy', 'Time you have to pay an order'],
] as const) {
  test(`“${side}”: the payment window is chosen within the limits of the pair`, async ({ page }) => {
    const sent = recordPosts(page)
    await page.goto('/publish')
    await page.getByText(side).click()
    await page.getByRole('radio', { name: 'MEC', exact: true }).check()
    await page.getByRole('radio', { name: /^USD / }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Price per MEC').fill('0.48')
    await page.getByLabel(/^How much/).fill('1000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Max' }).click()
    await page.getByRole('checkbox').first().check()
    const choice = page.getByRole('group', { name })
    await expect(choice).toHaveAccessibleDescription(
      'Between 10 and 60 minutes. 30 minutes are usual for this pair.',
    )
    await expect(choice.getByRole('radio')).toHaveCount(4)
    const usual = choice.getByRole('radio', { name: '30 min' })
    await expect(usual).toBeChecked()
    for (const chip of await choice.locator('label').all())
      expect((await chip.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await usual.focus()
    await page.keyboard.press('ArrowLeft')
    await expect(choice.getByRole('radio', { name: '15 min' })).toBeChecked()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(line(page, side === 'I want to sell' ? 'Time to pay' : 'Your time to pay')).toContainText(
      '15 minutes',
    )
    await page.getByRole('button', { name: 'Create ad' }).click()
    await expect(page).toHaveURL(/\/creating\?id=/)
    expect(sent.map((body) => body['windowMinutes'])).toEqual([15])
  })
}

for (const [code, data, label] of [
  ['5022', { min: '0.5', max: '0.6' }, 'Price per MEC'],
  ['5021', { floor: '0.01' }, 'How much do you want to buy?'],
  ['400', { field: 'quantity', reason: 'too many decimals' }, 'How much do you want to buy?'],
  ['5009', { min: '10', max: '400' }, 'Minimum per order'],
  ['400', { field: 'orderMax', reason: 'out of range' }, 'Maximum per order'],
  ['1030', { field: 'remark', reason: 'forbidden words' }, 'Remark (optional)'],
] as const) {
  test(`a refusal of an ad that buys with ${code} is said at “${label}”`, async ({ page }) => {
    await page.route('**/api/c2c/advert/create', (route) =>
      route.fulfill({ status: 422, json: { code, message: '', data } }),
    )
    await toReview(page, 'USD')
    await page.getByRole('button', { name: 'Create ad' }).click()
    const field = page.getByLabel(label)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(/./)
  })
}

test('a refusal of the payment window is said at its choice', async ({ page }) => {
  await page.route('**/api/c2c/advert/create', (route) =>
    route.fulfill({
      status: 422,
      json: { code: '400', message: '', data: { field: 'windowMinutes', reason: 'out of range' } },
    }),
  )
  await toReview(page, 'USD')
  await page.getByRole('button', { name: 'Create ad' }).click()
  const choice = page.getByRole('group', { name: 'Time you have to pay an order' })
  await expect(choice.locator('..').getByRole('alert')).toHaveText(/./)
  await expect(choice).toHaveAccessibleDescription(/^(?!Between).+ Between 10 and 60 minutes/)
  await choice.getByText('15 min').click()
  await expect(choice.locator('..').getByRole('alert')).toHaveCount(0)
})

test('a refusal of the payment methods is said at them', async ({ page }) => {
  await page.route('**/api/c2c/advert/create', (route) =>
    route.fulfill({ status: 422, json: { code: '5025', message: '', data: null } }),
  )
  await toReview(page, 'USD')
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page.getByText('How you pay')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
})

test('an ad that buys shows and says in its row what it is, and what its end returns', async ({ page }) => {
  const [first] = adverts
  const show = (change: Partial<Advert>) =>
    page.route('**/api/c2c/advert/pageByUser*', (route) =>
      fulfillWith(route, {
        records: [{ ...first, side: 'BUY', ...change }],
        total: 1,
        page: 1,
        size: 20,
      }),
    )
  await show({ revocation: [], runningOrders: 0 })
  await page.goto('/myAdvert')
  const row = page.getByRole('list', { name: 'My ads' }).getByRole('listitem')
  await expect(row).toContainText('Buy MEC')
  await expect(row).toContainText('Still to buy740 / 1,000 MEC')
  await expect(row).toContainText('Bought for77.35 USD')
  await row.getByRole('button', { name: 'Details' }).click()
  await expect(line(page, 'Your time to pay')).toContainText('30 min')
  await expect(line(page, 'You pay with')).toContainText('Bank card')
  await row.getByRole('button', { name: 'Revoke' }).click()
  const sheet = page.getByRole('dialog', { name: 'Revoke this ad?' })
  await expect(sheet).toContainText('It has nothing in escrow, so nothing is returned.')
  await show({ revocation: [], runningOrders: 1 })
  await page.reload()
  await row.getByRole('button', { name: 'Revoke' }).click()
  await expect(sheet).toContainText('Its active orders continue. It has nothing in escrow.')
  await show({ state: 'CANCELLED', endReason: 'SOLD_OUT', remaining: '0', actions: ['delete'] })
  await page.reload()
  await expect(row).toContainText('Everything is bought.')
  await show({ state: 'CANCELLED', endReason: 'REVOKED', actions: ['delete'] })
  await page.reload()
  await expect(row.getByText('You revoked this ad.', { exact: true })).toBeVisible()
})

test('from a list of ads without sellers, one posts an ad that buys', async ({ page }) => {
  await page.route(/\/api\/c2c\/advert\/page(ByUser)?\?/, (route) =>
    fulfillWith(route, { records: [], total: 0, page: 1, size: 20 }),
  )
  await page.goto('/')
  await page.getByRole('link', { name: 'Post an ad' }).click()
  await expect(page.getByRole('radio', { name: 'I want to buy' })).toBeChecked()
  await expect(page.getByRole('group', { name: 'What do you want to buy?' })).toBeVisible()
})

test('the wizard and the deposit of an ad that buys are in Chinese as well', async ({ page }) => {
  await page.goto('/publish?lang=zh_CN')
  await page.getByText('我要买').click()
  await page
    .getByRole('group', { name: '您要购买什么？' })
    .getByRole('radio', { name: 'MEC', exact: true })
    .check()
  await page.getByRole('group', { name: '您用什么支付？' }).getByRole('radio', { name: /^USDT/ }).check()
  await page.getByRole('radio', { name: /^自动放币/ }).check()
  await expect(page.getByText('您先将 USDT 存入托管。')).toBeVisible()
  await page.getByRole('button', { name: '继续' }).click()
  await page.getByLabel('MEC 单价').fill('0.48')
  await page.getByLabel('购买数量').fill('1000')
  await page.getByRole('button', { name: '继续' }).click()
  await page.getByRole('button', { name: '最大' }).click()
  await page.getByRole('button', { name: '继续' }).click()
  await expect(page.getByText('下一步：从您自己的钱包向托管地址转入 480 USDT。')).toBeVisible()
  await page.getByRole('button', { name: '创建广告' }).click()
  await expect(page).toHaveURL(/\/creatingOther\?id=/)
  await expect(page.getByRole('heading', { name: /请转入 480 USDT/ })).toBeVisible()
})
