import { expect, type Page, test } from '@playwright/test'
import { orders } from '../mock/orders.ts'
import { user } from '../mock/users.ts'
import { fulfillWith, overrideUser, signIn } from './overrides.ts'

const UNTIL = '2030-01-01T12:00:00Z'

test.beforeEach(async ({ page, context }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(context)
  await overrideUser(page, () => ({ holdUntil: UNTIL }))
})

/** Makes the release of an order need the pass, and records what is sent to confirm it. */
async function hold(page: Page): Promise<unknown[]> {
  const order = orders.find((one) => one.id === 'o-confirm')
  const actions = order?.actions.map((one) => (one.action === 'confirm' ? { ...one, pass: true } : one))
  await page.route('**/api/c2c/deal/order/o-confirm', (route) => fulfillWith(route, { ...order, actions }))
  const sent: unknown[] = []
  await page.route('**/api/c2c/deal/order/confirm/o-confirm', (route) => {
    sent.push(route.request().postDataJSON())
    // The mock is shared with other tests, so its order stays as it is.
    return fulfillWith(route, { ...order, state: 'RELEASING', actions: [] })
  })
  return sent
}

/** Approves every challenge. */
async function approve(page: Page): Promise<void> {
  await page.route('**/api/scan/result/*', (route) => {
    const ticket = new URL(route.request().url()).pathname.split('/').at(-1)
    return fulfillWith(route, { registered: false, session: null, ticket })
  })
}

async function fillIn(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'I’ve checked my account' }).check()
  await page.getByLabel('Security password').fill('only-for-money')
}

test('during a hold, a release needs an approval through the pass', async ({ page }) => {
  const sent = await hold(page)
  await page.goto('/orderDetail?id=o-confirm')
  await page.getByRole('button', { name: 'Payment received' }).click()
  await expect(page.getByText('Your account is on hold because it changed recently')).toBeVisible()
  await fillIn(page)
  await page.getByRole('button', { name: /^Release / }).click()
  await expect(page.getByText('Approve it with the pass first.')).toBeVisible()
  expect(sent).toEqual([])

  const asked = page.waitForRequest('**/api/scan/proof?*')
  await page.getByRole('button', { name: 'Approve with the pass' }).click()
  const query = new URL((await asked).url()).searchParams
  expect([query.get('purpose'), query.get('orderId')]).toEqual(['confirm', 'o-confirm'])
  await expect(page.getByLabel('Number to select in the pass app')).toHaveText('42')
  await approve(page)
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await page.getByRole('button', { name: /^Release / }).click()
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]).toMatchObject({ passTicket: expect.stringMatching(/^secret-/) })
})

test('the pass on the same device leads back to the release', async ({ page }) => {
  await hold(page)
  await page.goto('/orderDetail?id=o-confirm')
  await page.getByRole('button', { name: 'Payment received' }).click()
  const made = page.waitForResponse('**/api/scan/proof?*')
  await page.getByRole('button', { name: 'Approve with the pass' }).click()
  const { data }: { data: { challengeId: string } } = await (await made).json()
  await expect(page.getByLabel('Number to select in the pass app')).toBeVisible()
  await approve(page)
  await page.goto(`/orderDetail?id=o-confirm&pass=approved&challenge=${data.challengeId}&code=mine`)
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await expect(page).toHaveURL(/\/orderDetail\?id=o-confirm$/)
})

test('during a hold, an order cannot be accepted, and the screen says why', async ({ page }) => {
  const order = orders.find((one) => one.state === 'AWAITING_ACCEPTANCE' && one.advertiser)
  const actions = order?.actions.filter((one) => one.action !== 'accept')
  await page.route(`**/api/c2c/deal/order/${order?.id}`, (route) => fulfillWith(route, { ...order, actions }))
  await page.goto(`/orderDetail?id=${order?.id}`)
  await expect(page.getByText('Your account is on hold, so you can’t accept orders until')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reject' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Accept order' })).toBeHidden()
})

test('a forgotten security password is replaced with the pass', async ({ page }) => {
  await page.goto('/updateSecurityPassword')
  await page.getByRole('button', { name: 'Use your pass' }).click()
  await page.getByRole('button', { name: 'Approve with the pass' }).click()
  await expect(page.getByLabel('Number to select in the pass app')).toBeVisible()
  await approve(page)
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await page.getByLabel('New security password').fill('another-password')
  await page.getByLabel('Confirm security password').fill('another-password')
  await page.route('**/api/user/updateInfo', (route) => fulfillWith(route, user))
  const sent = page.waitForRequest('**/api/user/updateInfo')
  await page.getByRole('button', { name: 'Save' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ passTicket: expect.stringMatching(/^secret-/) })
})
