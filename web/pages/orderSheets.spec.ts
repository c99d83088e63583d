import { expect, type Page, type Route, test } from '@playwright/test'
import { orders } from '../mock/orders.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('before a release the screen states where the coins go, what it costs, and what the method risks', async ({
  page,
}) => {
  await page.goto('/orderDetail?id=o-confirm')
  await page.getByRole('button', { name: 'Payment received' }).click()
  const sheet = page.getByRole('dialog', { name: 'Release 100 MEC?' })
  await expect(sheet.getByText('What happens in escrow')).toBeVisible()
  await expect(sheet.getByText(/^99\.9 MEC/)).toBeVisible()
  await expect(sheet.getByText('0.1 MEC')).toBeVisible()
  await expect(sheet.getByText(/a pending transfer isn’t a payment/)).toBeVisible()
})

test('before accepting an order a seller reads what happens to the coins and by when', async ({ page }) => {
  const known = orders.find(({ id }) => id === 'o-accept')
  const sent: unknown[] = []
  await page.route('**/api/c2c/deal/order/take/o-accept', (route) => {
    sent.push(route.request().postDataJSON())
    return fulfillWith(route, { ...known, state: 'AWAITING_PAYMENT', actions: [] })
  })
  await page.goto('/orderDetail?id=o-accept')
  await page.getByRole('button', { name: 'Accept order' }).click()
  const sheet = page.getByRole('dialog', { name: 'Accept this order?' })
  await expect(sheet.getByText('48.35 USD')).toBeVisible()
  await expect(sheet.getByText('The buyer’s time to pay', { exact: true }).locator('..')).toContainText(
    '30 minutes',
  )
  await expect(sheet.getByText(/^100 MEC from your ad stays locked in escrow/)).toBeVisible()
  await expect(sheet.getByText(/the order is cancelled and 100 MEC returns to your ad/)).toBeVisible()
  expect(sent).toEqual([])
  await sheet.getByRole('button', { name: 'Accept and sell 100 MEC' }).click()
  await expect(sheet).toHaveCount(0)
  expect(sent).toEqual([{ version: known?.version }])
})

test('before accepting an order a buyer reads who must act first', async ({ page }) => {
  const known = orders.find(({ id }) => id === 'o-accept')
  await page.route('**/api/c2c/deal/order/o-accept', (route) =>
    fulfillWith(route, { ...known, role: 'BUYER', advertiser: true }),
  )
  await page.route('**/api/c2c/advert/ad-1', (route) =>
    route.fulfill({ status: 403, json: { code: '1003', message: '', data: null } }),
  )
  await page.goto('/orderDetail?id=o-accept')
  await page.getByRole('button', { name: 'Accept order' }).click()
  const sheet = page.getByRole('dialog', { name: 'Accept this order?' })
  await expect(
    sheet.getByText(/^The seller deposits 100 MEC into escrow. Don’t pay before that./),
  ).toBeVisible()
  await expect(sheet.getByText(/99\.9 MEC is sent to your address/)).toBeVisible()
  // Without the ad, the time to pay is unknown.
  await expect(sheet.getByText('Your time to pay', { exact: true })).toHaveCount(0)
  await expect(sheet.getByRole('button', { name: 'Accept and buy 100 MEC' })).toBeVisible()
})

test('before a cancellation the screen states where the coins go', async ({ page }) => {
  await page.goto('/orderDetail?id=o-pay')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Cancel this order?' })
  await expect(sheet.getByText('Back to the seller’s ad')).toBeVisible()
  await expect(sheet.getByText('100 MEC')).toBeVisible()
})

test('a sheet closes for good when its action is no longer offered', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-pay')
  const agree = order?.actions.map((one) => ({ ...one, action: 'agreeCancel' }))[0]
  let asked = false
  await page.clock.install()
  await page.route('**/api/c2c/deal/order/o-pay', (route) =>
    fulfillWith(
      route,
      asked
        ? { ...order, version: 4, cancelAskedBy: 'SELLER', actions: [...(order?.actions ?? []), agree] }
        : { ...order, version: 5 },
    ),
  )
  let cancelled = false
  await page.route('**/api/c2c/deal/order/cancel/o-pay', (route) => {
    cancelled = true
    return fulfillWith(route, order)
  })
  await page.goto('/orderDetail?id=o-pay')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('button', { name: 'Cancel order' })).toBeVisible()
  asked = true
  await page.clock.fastForward(9_000)
  await expect(page.getByRole('button', { name: 'Agree to cancel' })).toBeVisible()
  await expect(sheet).toHaveCount(0)
  asked = false
  await page.clock.fastForward(9_000)
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible()
  await expect(sheet).toHaveCount(0)
  expect(cancelled).toBe(false)
})

/** Serves an order whose cancellation is free until it is accepted, and records the cancellations that the page sends. */
async function acceptedMeanwhile(page: Page) {
  const order = orders.find((one) => one.id === 'o-pay')
  const cancel = order?.actions.find((one) => one.action === 'cancel')
  const before = { ...order, state: 'AWAITING_ACCEPTANCE', version: 4, deadline: null }
  const free = { ...cancel, reputationCost: 0, usesFree: true }
  let accepted = false
  await page.clock.install()
  await page.route('**/api/c2c/deal/order/o-pay', (route) =>
    fulfillWith(route, accepted ? { ...order, version: 5 } : { ...before, actions: [free] }),
  )
  const sent: { version: number; key: string }[] = []
  const answers: ((route: Route) => Promise<void>)[] = []
  await page.route('**/api/c2c/deal/order/cancel/o-pay', (route) => {
    const request = route.request()
    sent.push({ ...request.postDataJSON(), key: request.headers()['idempotency-key'] ?? '' })
    const answer = answers.shift()
    return answer === undefined
      ? fulfillWith(route, { ...order, state: 'CANCELLED', version: 6, actions: [] })
      : answer(route)
  })
  await page.goto('/orderDetail?id=o-pay')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Cancel this order?' })
  await expect(sheet.getByText(/You won’t lose credit/)).toBeVisible()
  return {
    sheet,
    sent,
    answers,
    changed: sheet.getByRole('status').getByText('This has changed since you opened it.'),
    accept: async () => {
      accepted = true
      await page.clock.fastForward(9_000)
      await expect(sheet.getByText(/^You’ll lose 20 credit points/)).toBeVisible()
    },
  }
}

test('a cancellation whose terms changed under the open sheet is sent only after they were reviewed', async ({
  page,
}) => {
  const { sheet, sent, answers, changed, accept } = await acceptedMeanwhile(page)
  await expect(changed).toHaveCount(0)
  await accept()
  await expect(changed).toBeVisible()
  const message = 'Review it and try again.'
  answers.push((route) => route.fulfill({ status: 409, json: { code: '5050', message, data: null } }))
  await sheet.getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByText(message)).toBeVisible()
  await expect(changed).toBeVisible()
  expect(sent.map(({ version }) => version)).toEqual([4])
  await sheet.getByRole('button', { name: 'I’ve reviewed the changes' }).click()
  await expect(changed).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Cancel order' }).click()
  await expect(sheet).toHaveCount(0)
  expect(sent.map(({ version }) => version)).toEqual([4, 5])
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
})

test('a sheet that is opened again shows the current terms', async ({ page }) => {
  const { sheet, sent, changed, accept } = await acceptedMeanwhile(page)
  await accept()
  await expect(changed).toBeVisible()
  await sheet.getByRole('button', { name: 'Keep order' }).click()
  await expect(sheet).toHaveCount(0)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(sheet.getByText(/^You’ll lose 20 credit points/)).toBeVisible()
  await expect(changed).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Cancel order' }).click()
  await expect(sheet).toHaveCount(0)
  expect(sent.map(({ version }) => version)).toEqual([5])
})

test('a cancellation whose outcome is unknown is repeated as it was, even if the order has changed', async ({
  page,
}) => {
  const { sheet, sent, answers, changed, accept } = await acceptedMeanwhile(page)
  answers.push((route) => route.abort())
  await sheet.getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByText('The network is unstable.')).toBeVisible()
  await accept()
  await expect(changed).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Cancel order' }).click()
  await expect(sheet).toHaveCount(0)
  expect(sent).toEqual([sent[0], sent[0]])
  expect(sent[0]?.version).toBe(4)
})

test('a cancellation that costs more by now is sent only after the cost was shown', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-pay')
  const cancel = order?.actions.find((one) => one.action === 'cancel')
  let cost = { reputationCost: 0, usesFree: true }
  await page.route('**/api/c2c/deal/order/o-pay', (route) =>
    fulfillWith(route, { ...order, actions: [{ ...cancel, ...cost }] }),
  )
  const sent: number[] = []
  const message = 'This cancellation now costs 20 points of your credit.'
  await page.route('**/api/c2c/deal/order/cancel/o-pay', (route) => {
    const seen = route.request().postDataJSON().reputationCost
    sent.push(seen)
    if (seen === 20) return fulfillWith(route, { ...order, state: 'CANCELLED', actions: [] })
    // The last free cancellation was used on another device.
    cost = { reputationCost: 20, usesFree: false }
    return route.fulfill({ status: 409, json: { code: '5053', message, data: { points: '20' } } })
  })
  await page.goto('/orderDetail?id=o-pay')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Cancel this order?' })
  await sheet.getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByText(message)).toBeVisible()
  await expect(sheet.getByText(/^You’ll lose 20 credit points/)).toBeVisible()
  // The cost may change under the finger, without a change of the order.
  await sheet.getByRole('button', { name: 'Cancel order' }).click()
  await expect.poll(() => sent).toEqual([0, 0])
  await sheet.getByRole('button', { name: 'I’ve reviewed the changes' }).click()
  await sheet.getByRole('button', { name: 'Cancel order' }).click()
  await expect(sheet).toHaveCount(0)
  expect(sent).toEqual([0, 0, 20])
})

test('a wrong security password is named in sight, also on a low screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 620 })
  const message = 'Incorrect security password. Attempts left: 4.'
  await page.route('**/api/c2c/deal/order/confirm/o-confirm', (route) =>
    route.fulfill({ status: 422, json: { code: 'USER3011', message, data: null } }),
  )
  await page.goto('/orderDetail?id=o-confirm')
  await page.getByRole('button', { name: 'Payment received' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('checkbox').check()
  await sheet.getByLabel('Security password').fill('wrong-password-1')
  await sheet.getByRole('button', { name: /^Release/ }).click()
  const error = sheet.getByRole('alert').filter({ hasText: message })
  await expect(error).toBeInViewport({ ratio: 1 })
  const [note, button] = [
    await error.boundingBox(),
    await sheet.getByRole('button', { name: /^Release/ }).boundingBox(),
  ]
  expect((note?.y ?? 0) + (note?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
})
