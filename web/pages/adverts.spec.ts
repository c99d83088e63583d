import { expect, type Page, test, type WebSocketRoute } from '@playwright/test'
import { adverts, groupOf } from '../mock/adverts.ts'
import { balance } from '../mock/wallet.ts'
import { fulfillWith, overrideAdvert, overrideUser, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

/** Lets the test hold the switch for taking orders. Returns its state. */
async function taking(page: Page, online: boolean): Promise<{ online: boolean }> {
  const held = { online }
  await page.route('**/api/c2c/advert/online*', (route) => {
    if (route.request().method() === 'POST')
      held.online = route.request().url().endsWith('online?online=true')
    return fulfillWith(route, { online: held.online })
  })
  return held
}

test('a funded ad of a user who isn’t taking orders says so and offers to turn orders on', async ({
  page,
}) => {
  const held = await taking(page, false)
  await overrideAdvert(page, 'ad-2', () => ({ state: held.online ? 'ONLINE' : 'OFFLINE', deposit: null }))
  await page.goto('/creating?id=ad-2')
  await expect(page.getByText('Your ad is ready but not shown yet')).toBeVisible()
  await expect(page.getByText('Your ad is posted')).toBeHidden()
  await page.getByRole('button', { name: 'Take orders' }).click()
  await expect(page.getByText('Your ad is posted')).toBeVisible()
})

test('an advertiser whom the platform took offline reads why, until they go online again', async ({
  page,
}) => {
  const held = await taking(page, false)
  await overrideUser(page, () => ({
    online: held.online,
    offlineCause: held.online ? null : 'MISSED_ACCEPTANCES',
  }))
  await page.goto('/myAdvert')
  const why = page.getByText('you left the orders of three takers in a row unanswered')
  await expect(why).toBeVisible()
  await page.getByRole('switch', { name: 'Take orders' }).click()
  await expect(page.getByText('Taking orders', { exact: true })).toBeVisible()
  await expect(why).toBeHidden()
})

test('status 38 tells the advertiser at once', async ({ page }) => {
  let taken = false
  await page.route('**/api/c2c/advert/online*', (route) => fulfillWith(route, { online: !taken }))
  await overrideUser(page, () => ({
    online: !taken,
    offlineCause: taken ? 'MISSED_ACCEPTANCES' : null,
  }))
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket('**/api/fiat/*', (route) => {
    sockets.push(route)
  })
  await page.goto('/myAdvert')
  await expect(page.getByText('Taking orders', { exact: true })).toBeVisible()
  taken = true
  await expect.poll(() => sockets.length).toBe(1)
  sockets[0]?.send(JSON.stringify({ type: 'ORDER_STATUS_CHANGE', message: '38', number: 1 }))
  await expect(page.getByText('Your ads are offline: orders went unanswered')).toBeVisible()
  await expect(page.getByText('Not taking orders')).toBeVisible()
  await expect(page.getByText('you left the orders of three takers in a row unanswered')).toBeVisible()
})

test('a taker sees how often an advertiser accepts, and how often confirmations came late', async ({
  page,
}) => {
  await page.goto('/')
  const card = page.getByRole('listitem').filter({ hasText: 'kaya' }).first()
  await expect(card).toContainText('80% accepted')
  await expect(card).toContainText('1 late')
  await card.getByRole('link', { name: /from kaya$/ }).click()
  await expect(page.getByText('Orders accepted')).toBeVisible()
  await expect(page.getByText('1 out of 4')).toBeVisible()
})

for (const [choice, expected] of [
  ['at once', true],
  ['later', false],
] as const) {
  test(`a new user can choose to take orders ${choice}`, async ({ page }) => {
    await overrideUser(page, () => ({ online: false }))
    const held = await taking(page, false)
    await page.goto('/publish')
    await page.getByRole('radio', { name: 'MEC', exact: true }).check()
    await page
      .getByRole('group', { name: 'What do you want to be paid in?' })
      .getByRole('radio', { name: /^USDT/ })
      .check()
    await page.getByRole('radio', { name: /^Manual release/ }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Price per MEC').fill('0.48')
    await page.getByLabel('How much are you selling?').fill('100')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Max' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    const shown = 'Your ad is shown once the deposit is confirmed on-chain'
    const atOnce = page.getByRole('switch', { name: 'Take orders right away' })
    await expect(atOnce).toBeChecked()
    await expect(page.getByText(`${shown}.`)).toBeVisible()
    await expect(
      page.getByText(/returned to your bound address, minus a network fee of 0\.01 MEC/),
    ).toBeVisible()
    if (!expected) {
      await atOnce.click()
      await expect(page.getByText(`${shown} and you’re taking orders.`)).toBeVisible()
    }
    await page.getByRole('button', { name: 'Create ad' }).click()
    await expect(page).toHaveURL(/\/creating\?id=/)
    expect(held.online).toBe(expected)
  })
}

/** Lets the test set the MEC balance. */
async function holding(page: Page, held: { temporary: string; confirming: string }) {
  const [mec] = balance.lines
  await page.route('**/api/balance', (route) =>
    fulfillWith(route, { ...balance, lines: [{ ...mec, asset: 'MEC', ...held }] }),
  )
}

test('an ad that wasn’t created shows the balance and unconfirmed deposits as they change', async ({
  page,
}) => {
  const held = { temporary: '0', confirming: '0' }
  await holding(page, held)
  await overrideAdvert(page, 'ad-2', () => ({
    state: 'CANCELLED',
    endReason: 'EXPIRED',
    deposit: null,
    actions: [],
  }))
  await page.goto('/creating?id=ad-2')
  await expect(page.getByText('This ad wasn’t created')).toBeVisible()
  await expect(page.getByText('Your MEC balance is empty.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'View my balance' })).toHaveCount(0)
  held.confirming = '400'
  await expect(
    page.getByText('400 MEC is being confirmed and will be added to your temporary balance.'),
  ).toBeVisible()
  await expect(page.getByText('Your MEC balance is empty.')).toHaveCount(0)
  Object.assign(held, { confirming: '0', temporary: '412.5' })
  await expect(page.getByText('Your temporary balance is 412.5 MEC, including')).toBeVisible()
  await expect(page.getByText('being confirmed')).toHaveCount(0)
  await page.getByRole('link', { name: 'View my balance' }).click()
  await expect(page).toHaveURL(/\/fundRecord$/)
})

test('the deposit page says that an unfinished deposit becomes temporary balance', async ({ page }) => {
  await page.goto('/creating?id=ad-2')
  await expect(page.getByText('anything that has arrived is added to your temporary balance')).toBeVisible()
})

test('a revocation says which coins return, and at which network fee', async ({ page }) => {
  await page.goto('/myAdvert')
  await page.locator('label', { hasText: /^Offline/ }).click()
  const row = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Go online' }) })
  await row.getByRole('button', { name: 'Revoke' }).click()
  const sheet = page.getByRole('dialog', { name: 'Revoke this ad?' })
  await expect(sheet.getByText('what is left in escrow is returned')).toBeVisible()
  await expect(sheet.getByText('To your address')).toBeVisible()
  await expect(sheet.getByText(/^54\.999 MEC/)).toBeVisible()
  await expect(sheet.getByText('0.001 MEC')).toBeVisible()
})

test('the owner of an ad far from the market price is warned', async ({ page }) => {
  const [first] = adverts
  await page.route('**/api/c2c/advert/pageByUser*', (route) =>
    fulfillWith(route, { records: [{ ...first, outsidePriceBand: true }], total: 1, page: 1, size: 20 }),
  )
  await page.goto('/myAdvert')
  await expect(page.getByText('Your price is far from the current market price')).toBeVisible()
})

test('a revocation of an ad that lost coins promises only what is in escrow', async ({ page }) => {
  const [first] = adverts
  const kept = { kind: 'TEMPORARY_BALANCE', asset: 'MEC', amount: '0.004', party: 'SELLER', address: null }
  const show = (change: object) =>
    page.route('**/api/c2c/advert/pageByUser*', (route) =>
      fulfillWith(route, { records: [{ ...first, ...change }], total: 1, page: 1, size: 20 }),
    )
  await show({ frozen: true, runningOrders: 0, revocation: [kept] })
  await page.goto('/myAdvert')
  await page.getByRole('button', { name: 'Revoke' }).click()
  const sheet = page.getByRole('dialog', { name: 'Revoke this ad?' })
  await expect(sheet.getByText('To your temporary balance')).toBeVisible()
  await expect(sheet.getByText(/^0\.004 MEC/)).toBeVisible()
  await expect(sheet.getByText(/740/)).toHaveCount(0)
  await show({ frozen: true, runningOrders: 0, revocation: [] })
  await page.reload()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(sheet.getByText(/Nothing is left in escrow/)).toBeVisible()
  await show({ revocation: [] })
  await page.reload()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(sheet.getByText(/what cancelled orders give back is returned/)).toBeVisible()
})

test('the owner of an ad that was taken down sees why', async ({ page }) => {
  const takenDown = { reason: 'The remark asks to trade outside.', at: '2026-11-24T12:00:00Z' }
  await overrideAdvert(page, 'ad-2', () => ({
    state: 'REVOKING',
    deposit: null,
    runningOrders: 1,
    takenDown,
  }))
  await page.goto('/creating?id=ad-2')
  await expect(page.getByText('MEC2C has taken this ad down')).toBeVisible()
  await expect(page.getByText('Reason: The remark asks to trade outside.')).toBeVisible()
  await expect(page.getByText(/Open orders continue/)).toBeVisible()
})

test('my ads are grouped, and compact rows show remaining and turnover, with the rest in the details', async ({
  page,
}) => {
  // Other tests post ads meanwhile.
  const of = (group: string | null) => adverts.filter((one) => groupOf(one) === group)
  await page.route('**/api/c2c/advert/groups', (route) =>
    fulfillWith(route, {
      online: of('ONLINE').length,
      offline: of('OFFLINE').length,
      ended: of('ENDED').length,
    }),
  )
  await page.route('**/api/c2c/advert/pageByUser*', (route) => {
    const records = of(new URL(route.request().url()).searchParams.get('group'))
    return fulfillWith(route, { records, total: records.length, page: 1, size: 20 })
  })
  await page.goto('/myAdvert')
  const rows = page.getByRole('list', { name: 'My ads' }).getByRole('listitem')
  const group = (name: RegExp) => page.getByRole('radio', { name })
  await expect(group(/^Online 3$/)).toBeChecked()
  await expect(rows).toHaveCount(3)
  const row = rows.first()
  await expect(row).toContainText('740 / 1,000 MEC')
  await expect(row).toContainText('77.35 USD in 3 orders')
  await expect(row.getByText('Ad ID')).toHaveCount(0)
  expect((await row.boundingBox())?.height).toBeLessThan(240)
  await row.getByRole('button', { name: 'Details' }).click()
  await expect(row.getByText('Ad ID')).toBeVisible()
  await expect(row.getByText('10 – 357.79 USD')).toBeVisible()
  await row.getByRole('button', { name: 'Details' }).click()
  await expect(row.getByText('Ad ID')).toHaveCount(0)

  await page.locator('label', { hasText: /^Offline 6$/ }).click()
  await expect(group(/^Offline 6$/)).toBeChecked()
  await expect(rows).toHaveCount(6)
  await expect(rows.filter({ hasText: 'Awaiting escrow deposit' })).toHaveCount(4)
  await page.locator('label', { hasText: /^Ended 1$/ }).click()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Sold out.')
})

test('without a choice, my ads follow an ad that goes offline', async ({ page }) => {
  const [first] = adverts
  const held = { online: true }
  await page.route('**/api/c2c/advert/groups', (route) =>
    fulfillWith(route, { online: held.online ? 1 : 0, offline: held.online ? 0 : 1, ended: 0 }),
  )
  await page.route('**/api/c2c/advert/pageByUser*', (route) => {
    const shown = route
      .request()
      .url()
      .includes(held.online ? 'group=ONLINE' : 'group=OFFLINE')
    const record = {
      ...first,
      state: held.online ? 'ONLINE' : 'OFFLINE',
      actions: [held.online ? 'offline' : 'online'],
    }
    return fulfillWith(route, { records: shown ? [record] : [], total: shown ? 1 : 0, page: 1, size: 20 })
  })
  await page.route('**/api/c2c/advert/switch/*', (route) => {
    held.online = false
    return fulfillWith(route, { ...first, state: 'OFFLINE' })
  })
  await page.goto('/myAdvert')
  await page.getByRole('button', { name: 'Take offline' }).click()
  await expect(page.getByRole('button', { name: 'Go online' })).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Offline/ })).toBeChecked()
})
