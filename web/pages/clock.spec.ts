import { expect, type Locator, type Page, test } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { orders } from '../mock/orders.ts'
import { user } from '../mock/users.ts'
import { caseId } from '../mock/values.ts'
import { asOlga } from './consolePage.ts'
import { fulfillWith, lacking, overrideMissing, signIn } from './overrides.ts'

const START = Date.UTC(2026, 5, 1, 12, 0, 0)
/** The time at which the clock stops. It is late enough for pages to load even on a slow machine. */
const STOP = START + 600_000
/** Returns a time, in minutes after the clock stops. */
const at = (minutes: number) => new Date(STOP + minutes * 60_000).toISOString()

/** Removes the server's time from responses, so that they do not correct the page's clock. */
const TIMELESS = { serverTime: '' }

/** Gives a page a fake clock, which runs until it is stopped. */
async function timed(page: Page) {
  await page.clock.install({ time: START })
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    return route.fulfill({ response, body: text.replaceAll(/"serverTime":"[^"]*"/g, '"serverTime":""') })
  })
}

async function signedIn(page: Page) {
  await timed(page)
  await signIn(page.context())
}

/** Overrides an order wherever the server returns it. */
async function ordersAre(page: Page, id: string, change: object) {
  const found = orders.find((one) => one.id === id)
  const shown = () => ({ ...found, ...change, ...TIMELESS })
  await page.route(`**/api/c2c/deal/order/${id}`, (route) => fulfillWith(route, shown()))
  await page.route('**/api/c2c/deal/order/page*', (route) =>
    fulfillWith(route, { records: [shown()], total: 1, page: 1, size: 20 }),
  )
}

async function advertsAre(page: Page, id: string, deadline: string) {
  const found = adverts.find((one) => one.id === id)
  const shown = () => ({ ...found, deposit: { ...found?.deposit, deadline }, ...TIMELESS })
  await page.route(`**/api/c2c/advert/${id}`, (route) => fulfillWith(route, { own: shown() }))
  await page.route('**/api/c2c/advert/pageByUser*', (route) =>
    fulfillWith(route, { records: [shown()], total: 1, page: 1, size: 20 }),
  )
}

/** Stops the clock, and checks that it counts down by the second. */
async function runsDown(page: Page, timer: Locator, from: string, then: string) {
  await expect(timer).toBeVisible()
  await page.clock.pauseAt(STOP)
  await expect(timer).toHaveText(from)
  await page.clock.runFor(3_000)
  await expect(timer).toHaveText(then)
}

test.beforeEach(async ({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))
// Pages still poll when a test ends; routes in progress must not fail it.
test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test('the payment countdown of an order runs down and ends', async ({ page }) => {
  await signedIn(page)
  await ordersAre(page, 'o-pay', { deadline: at(2) })
  await page.goto('/orderDetail?id=o-pay')
  const timer = page.getByRole('heading', { name: /^Pay the seller within/ }).getByRole('timer')
  await runsDown(page, timer, '02:00', '01:57')
  await page.clock.runFor(118_000)
  await expect(page.getByRole('heading', { name: 'Pay the seller within time’s up' })).toBeVisible()
  await expect(timer).toHaveCount(0)
})

test('the acceptance countdown of an order runs down', async ({ page }) => {
  await signedIn(page)
  await ordersAre(page, 'o-accept', { deadline: at(5) })
  await page.goto('/orderDetail?id=o-accept')
  const timer = page.getByRole('heading', { name: /^Accept or reject within/ }).getByRole('timer')
  await runsDown(page, timer, '05:00', '04:57')
})

test('the order list shows the grace period of an overdue order', async ({ page }) => {
  await signedIn(page)
  await ordersAre(page, 'o-pay', { overdue: true, deadline: at(-5), graceUntil: at(5) })
  await page.goto('/order')
  const row = page.getByRole('link', { name: /MEC/ }).filter({ hasText: 'Overdue' })
  await runsDown(page, row.getByRole('timer'), '05:00', '04:57')
})

test('the grace period countdown of an overdue order runs down', async ({ page }) => {
  await signedIn(page)
  await ordersAre(page, 'o-pay', { overdue: true, deadline: at(-5), graceUntil: at(5) })
  await page.goto('/orderDetail?id=o-pay')
  await runsDown(page, page.getByRole('timer'), '05:00', '04:57')
})

test('the payment countdown of an automatic order runs down', async ({ page }) => {
  await signedIn(page)
  await ordersAre(page, 'o-auto', { deadline: at(14) })
  await page.goto('/orderDetail?id=o-auto')
  await runsDown(page, page.getByRole('timer').first(), '14:00', '13:57')
})

test('the countdown in the order list runs down', async ({ page }) => {
  await signedIn(page)
  await ordersAre(page, 'o-pay', { deadline: at(1_500), myTurn: true })
  await page.goto('/order')
  await runsDown(page, page.getByRole('timer'), '1d 1:00:00', '1d 0:59:57')
})

test('the deposit countdown of an ad runs down', async ({ page }) => {
  await signedIn(page)
  await advertsAre(page, 'ad-2', at(65))
  await page.goto('/creating?id=ad-2')
  await runsDown(page, page.getByRole('timer'), '1:05:00', '1:04:57')
})

test('the deposit countdown in the ad list runs down', async ({ page }) => {
  await signedIn(page)
  await advertsAre(page, 'ad-2', at(65))
  await page.goto('/myAdvert')
  await page.locator('label', { hasText: /^Offline/ }).click()
  await runsDown(page, page.getByRole('timer'), '1:05:00', '1:04:57')
})

test('an email code can be sent again after a minute', async ({ page }) => {
  await timed(page)
  await page.route('**/api/scan/result/*', (route) =>
    fulfillWith(route, {
      registered: false,
      session: null,
      ticket: 'ticket',
      meId: 'ME-1234',
      boundAddress: user.boundAddress,
      regionId: 'eu',
      kycLevel: 'advanced',
    }),
  )
  await page.route('**/api/email/send', (route) => fulfillWith(route, { resendAt: at(1) }))
  await page.goto('/register')
  await page.getByLabel('Email', { exact: true }).fill('new@example.com')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('slider').focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog').getByRole('button').last().click()
  await expect(page.getByRole('button', { name: /^\d\d:\d\d$/ })).toBeDisabled()
  await page.clock.pauseAt(STOP)
  await expect(page.getByRole('button', { name: '01:00' })).toBeDisabled()
  await page.clock.runFor(3_000)
  await expect(page.getByRole('button', { name: '00:57' })).toBeDisabled()
  await page.clock.runFor(57_000)
  await expect(page.getByRole('button', { name: 'Send again' })).toBeEnabled()
})

test('actions blocked by a hold become available when it ends, without a reload', async ({ page }) => {
  await signedIn(page)
  await overrideMissing(page, () => [lacking('NO_HOLD', { until: at(1) })])
  await page.goto('/buySell?id=a-SELL-MEC-USD-0&amount=48')
  const why = page.getByText(/^Your account details changed recently/)
  await expect(why).toBeVisible()
  await page.clock.pauseAt(STOP)
  await page.clock.runFor(58_000)
  await expect(why).toBeVisible()
  await page.clock.runFor(3_000)
  await expect(why).toHaveCount(0)
})

test('the notice about a hold goes when the hold ends', async ({ page }) => {
  await signedIn(page)
  await page.route('**/api/user/info/*', (route) =>
    fulfillWith(route, { ...user, holdUntil: at(1), ...TIMELESS }),
  )
  await page.goto('/personalCenter')
  const notice = page.getByText(/Your account is on hold until/)
  await expect(notice).toBeVisible()
  await page.clock.pauseAt(STOP)
  await page.clock.runFor(58_000)
  await expect(notice).toBeVisible()
  await page.clock.runFor(3_000)
  await expect(notice).toHaveCount(0)
})

test('the console shows a hold of a user until it ends', async ({ page }) => {
  await timed(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.route('**/api/console/users/*', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    return fulfillWith(route, { ...data, user: { ...data.user, holdUntil: at(1) }, ...TIMELESS })
  })
  await page.goto('/console/users/0198c2a4-0000-7000-8000-000000000001')
  const held = page.getByText('On hold', { exact: true })
  await expect(held).toBeVisible()
  await page.clock.pauseAt(STOP)
  await page.clock.runFor(58_000)
  await expect(held).toBeVisible()
  await page.clock.runFor(3_000)
  await expect(held).toHaveCount(0)
  await expect(page.getByText('On hold until').locator('..')).toHaveText('On hold until–')
  await page.getByRole('button', { name: 'Hold', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Hold' })
  await expect(dialog.getByText('1 day')).toBeVisible()
  await expect(dialog.getByText('Lift')).toHaveCount(0)
})

test('a case shows a hold of a party until it ends', async ({ page }) => {
  await timed(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await asOlga(page, TIMELESS)
  await page.route(`**/api/console/appeals/${caseId(1)}`, async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const parties = { ...data.parties, seller: { ...data.parties.seller, holdUntil: at(1) } }
    return fulfillWith(route, { ...data, parties, ...TIMELESS })
  })
  await page.goto(`/console/appeals/${caseId(1)}`)
  const row = page.getByRole('row', { name: /^Restrictions/ })
  await expect(row).toContainText('On hold')
  await page.clock.pauseAt(STOP)
  await page.clock.runFor(58_000)
  await expect(row).toContainText('On hold')
  await page.clock.runFor(3_000)
  await expect(row).not.toContainText('On hold')
})

test('a nickname can be changed once its waiting period ends', async ({ page }) => {
  await signedIn(page)
  await page.route('**/api/user/info/*', (route) =>
    fulfillWith(route, { ...user, nicknameChangeableAt: at(1), ...TIMELESS }),
  )
  await page.goto('/personalCenter?set=nickname')
  const name = page.getByRole('dialog').getByRole('textbox')
  await expect(name).toBeDisabled()
  await page.clock.pauseAt(STOP)
  await page.clock.runFor(58_000)
  await expect(name).toBeDisabled()
  await page.clock.runFor(3_000)
  await expect(name).toBeEnabled()
})
