import { expect, test } from '@playwright/test'
import { fulfillWith, overrideUser, signIn } from './overrides.ts'

const BINDING = '**/api/user/isBind/*'
const bound = {
  bound: true,
  meId: 'ME-3F9A2C71D0',
  boundAddress: '0x2Bd5e8c1A09f3B6d7E24c58A90bC1f2eEe3b91D6',
  obstacles: [] as string[],
}

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('each obstacle is named, with the way to remove it, and there is no form before', async ({ page }) => {
  const obstacles = ['ADVERT', 'ORDER', 'BALANCE', 'PAYOUT', 'DEBT', 'VOIDED_PAYOUT']
  await page.route(BINDING, (route) => fulfillWith(route, { ...bound, obstacles }))
  await page.goto('/boundAddress')
  await expect(page.getByText('Before you can change it')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Revoke your ads' })).toHaveAttribute('href', '/myAdvert')
  await expect(page.getByRole('link', { name: 'Finish your orders' })).toHaveAttribute('href', '/order')
  await expect(page.getByText('Wait until we’ve settled a voided payout.')).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(page.getByRole('textbox')).toHaveCount(0)
})

test('a change needs the pass and the security password, and says what follows', async ({ page }) => {
  await page.route(BINDING, (route) => fulfillWith(route, bound))
  await page.route('**/api/scan/result/*', (route) =>
    fulfillWith(route, {
      registered: false,
      session: null,
      ticket: 'approved',
      meId: bound.meId,
      boundAddress: bound.boundAddress,
      regionId: 'ES',
      kycLevel: 'advanced',
    }),
  )
  const sent: unknown[] = []
  await page.route('**/api/user/unbind', (route) => {
    sent.push(route.request().postDataJSON())
    return route.fallback()
  })
  await page.goto('/boundAddress')
  await expect(page.getByText(/pauses withdrawals, new ads and new orders for 24 hours/)).toBeVisible()
  await page.getByRole('radio', { name: /Remove the address/ }).check()
  const send = page.getByRole('button', { name: 'Remove the address' })
  await send.click()
  await expect(page.getByText('Approve it with the pass first.')).toBeVisible()
  await expect(page.getByText('Enter your security password.')).toBeVisible()
  await page.getByRole('button', { name: 'Approve with the pass' }).click()
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await page.getByLabel('Security password', { exact: true }).fill('safe-and-sound')
  await send.click()
  await expect(page).toHaveURL(/\/personalCenter$/)
  expect(sent).toEqual([expect.objectContaining({ passTicket: 'approved' })])
})

test('a user without a security password sets one first', async ({ page }) => {
  await overrideUser(page, () => ({ hasSecurityPassword: false }))
  await page.goto('/boundAddress')
  await page.getByRole('link', { name: 'Set a security password' }).click()
  await expect(page).toHaveURL(/\/updateSecurityPassword\?next=%2FboundAddress/)
})

test('a user without a bound address is told what that means, and can only bind one', async ({ page }) => {
  await page.route(BINDING, (route) => fulfillWith(route, { ...bound, bound: false, boundAddress: null }))
  await page.goto('/boundAddress')
  await expect(page.getByText(/Until you bind one, you can’t trade or withdraw/)).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Bind the address of my pass' })).toBeVisible()
})
