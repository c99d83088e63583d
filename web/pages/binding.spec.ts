import { expect, type Page, test } from '@playwright/test'
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

/** Lets the user bind or remove the address, and lets the pass approve everything. */
async function approveAll(page: Page): Promise<void> {
  await page.route(BINDING, (route) => fulfillWith(route, bound))
  let approvals = 0
  await page.route('**/api/scan/result/*', (route) => {
    approvals += 1
    return fulfillWith(route, {
      registered: false,
      session: null,
      ticket: `approval ${approvals}`,
      meId: bound.meId,
      boundAddress: bound.boundAddress,
      regionId: 'ES',
      kycLevel: 'advanced',
    })
  })
}

const APPROVED = 'You’ve approved this with the pass.'

test('a change needs the pass and the security password, and says what follows', async ({ page }) => {
  await approveAll(page)
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
  await expect(page.getByText(APPROVED)).toBeVisible()
  await page.getByLabel('Security password', { exact: true }).fill('safe-and-sound')
  await send.click()
  await expect(page).toHaveURL(/\/personalCenter$/)
  expect(sent).toEqual([expect.objectContaining({ passTicket: 'approval 1' })])
})

test('the chosen change and its approval survive a reload, and the approval counts for no other change', async ({
  page,
}) => {
  await approveAll(page)
  await page.goto('/boundAddress')
  const remove = page.getByRole('radio', { name: /Remove the address/ })
  const move = page.getByRole('radio', { name: /Move to another address/ })
  await remove.check()
  await expect(page).toHaveURL(/\?change=unbind$/)
  await expect(remove).toBeFocused()
  await page.getByRole('button', { name: 'Approve with the pass' }).click()
  await expect(page.getByText(APPROVED)).toBeVisible()
  await page.reload()
  await expect(remove).toBeChecked()
  await expect(page.getByText(APPROVED)).toBeVisible()
  await move.check()
  await expect(page).toHaveURL(/\?change=bind$/)
  await expect(page.getByRole('button', { name: 'Approve with the pass' })).toBeVisible()
  await expect(page.getByText(APPROVED)).toBeHidden()
  await remove.check()
  await expect(page.getByText(APPROVED)).toBeVisible()
})

test('an approval that the server no longer accepts is asked for again', async ({ page }) => {
  await approveAll(page)
  const sent: string[] = []
  await page.route('**/api/user/bind', (route) => {
    const { passTicket }: { passTicket: string } = route.request().postDataJSON()
    sent.push(passTicket)
    return passTicket === 'approval 1'
      ? route.fulfill({ status: 409, json: { code: '803', message: 'It has expired.', data: null } })
      : route.fallback()
  })
  await page.goto('/boundAddress')
  await page.getByRole('button', { name: 'Approve with the pass' }).click()
  await expect(page.getByText(APPROVED)).toBeVisible()
  await page.getByLabel('Security password', { exact: true }).fill('safe-and-sound')
  const send = page.getByRole('button', { name: 'Bind the address of my pass' })
  const askedAgain = page.waitForResponse('**/api/scan/result/*')
  await send.click()
  await askedAgain
  await expect(page.getByText(APPROVED)).toBeVisible()
  await page.getByLabel('Security password', { exact: true }).fill('safe-and-sound')
  await send.click()
  await expect(page).toHaveURL(/\/personalCenter$/)
  expect(sent).toEqual(['approval 1', 'approval 2'])
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
