import { expect, test } from '@playwright/test'
import { nft } from '../mock/nfts.ts'
import { caseId } from '../mock/values.ts'
import { asOlga, openCase, pathOf, refuse } from './consolePage.ts'
import { expectToBeAccessible } from './expectToBeAccessible.ts'
import { fulfillWith } from './overrides.ts'

test.use({ viewport: { width: 1280, height: 800 } })

test.afterEach(async ({ page }) => {
  // Polls may still be on their way.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test.beforeEach(async ({ page }) => {
  await asOlga(page)
})

test('a verdict says what it does, needs a note, and is sent once', async ({ page }) => {
  await openCase(page, 9)
  const { data: found } = await page.evaluate(async (url) => (await fetch(url)).json(), `/api${pathOf(9)}`)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await expect(dialog.getByText('0 / 500')).toBeVisible()
  // Nothing looks chosen before the officer chooses: the focus is on the group, not on its first option.
  await expect(dialog.getByRole('group', { name: 'Decision' })).toBeFocused()
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('radio').first()).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Write a note. Both parties see it.')).toBeVisible()
  await expect(dialog.getByText('Choose a decision.')).toBeVisible()
  await dialog.getByLabel('Seller wins').check()
  await expect(dialog.getByText(/50 MEC goes from escrow to the seller, to 0x3C07E1…729bE8a1/)).toBeVisible()
  await expect(dialog.getByText('The appeal is malicious')).toHaveCount(0)
  await dialog.getByLabel('Buyer wins').check()
  await expect(dialog.getByText(/49\.95 MEC goes from escrow to the buyer/)).toBeVisible()
  await expect(dialog.getByText('MEC2C keeps the fee of 0.05 MEC.')).toBeVisible()
  await expect(dialog.getByText(/24 hours after the verdict/)).toBeVisible()
  await expect(dialog.getByText('Seller: loses credit score for a lost appeal.')).toBeVisible()
  await dialog.getByLabel('The appeal is malicious').check()
  await expect(dialog.getByText('Seller: loses all credit score for a malicious appeal.')).toBeVisible()
  await expectToBeAccessible(page, 'a malicious appeal')
  await dialog.getByLabel('Note').fill('The bank confirms the payment.')
  await expect(dialog.getByText('30 / 500')).toBeVisible()
  const bodies: unknown[] = []
  await page.route('**/decision', async (route) => {
    bodies.push(route.request().postDataJSON())
    await route.fallback()
  })
  await dialog.getByRole('button', { name: 'Decide for the buyer' }).dblclick()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/The verdict is executed in/)).toBeVisible()
  expect(bodies).toEqual([
    { ruling: 'BUYER', malicious: true, note: 'The bank confirms the payment.', version: found.version },
  ])
  await page.getByRole('button', { name: /Revoke the verdict…/ }).click()
  const revoke = page.getByRole('dialog', { name: 'Revoke the verdict' })
  await expect(revoke.getByText(/The verdict isn’t executed. Nothing moves./)).toBeVisible()
  await revoke.getByLabel('Note').fill('The seller showed a new statement.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Awaiting a verdict')).toBeVisible()
  await expect(page.getByText('Verdict revoked')).toBeVisible()
})

test('a decision shows every coin that it moves, and no fee that is not charged', async ({ page }) => {
  const movement = (kind: string, amount: string, party: string, address: string | null = null) => ({
    kind,
    asset: 'MEC',
    amount,
    party,
    address,
  })
  const movements: Record<string, unknown> = {
    // The escrow is incomplete, so the buyer gets the rest without a fee.
    BUYER: [movement('PAYOUT', '30', 'BUYER', `0x${'1'.repeat(40)}`)],
    SELLER: [movement('TEMPORARY_BALANCE', '0.4', 'SELLER')],
    REJECT: [
      movement('PAYOUT', '49.95', 'BUYER', `0x${'1'.repeat(40)}`),
      movement('FEE', '0.05', 'BUYER'),
      { ...movement('PAYOUT', '50', 'SELLER', `0x${'2'.repeat(40)}`), asset: 'USDT' },
    ],
  }
  await page.route(`**/api/console/appeals/${caseId(12)}`, async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const allowed = data.allowed.map((one: { ruling: string }) => ({
      ...one,
      movements: movements[one.ruling] ?? [],
    }))
    await fulfillWith(route, { ...data, allowed })
  })
  await openCase(page, 12)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await dialog.getByLabel('Buyer wins').check()
  await expect(dialog.getByText(/30 MEC goes from escrow to the buyer/)).toBeVisible()
  await expect(dialog.getByText(/keeps the fee/)).toHaveCount(0)
  await dialog.getByLabel('Seller wins').check()
  await expect(dialog.getByText(/0\.4 MEC goes from escrow to the seller’s temporary balance/)).toBeVisible()
  await dialog.getByLabel('Reject', { exact: true }).check()
  await expect(dialog.getByText(/Both deposits are in escrow, so they’re released at once/)).toBeVisible()
  await expect(dialog.getByText(/50 USDT goes from escrow to the seller/)).toBeVisible()
  await expect(dialog.getByText('Nothing moves.')).toHaveCount(0)
})

test('an NFT that can’t be returned stays in custody, whatever the network fee', async ({ page }) => {
  const kept = { kind: 'TEMPORARY_BALANCE', asset: 'ART', amount: '1', party: 'SELLER', address: null }
  await page.route(`**/api/console/appeals/${caseId(12)}`, async (route) => {
    const { data } = await (await route.fetch()).json()
    const allowed = data.allowed.map((one: object) => ({ ...one, movements: [kept] }))
    await fulfillWith(route, { ...data, order: { ...data.order, base: 'ART', nft: nft('34') }, allowed })
  })
  await openCase(page, 12)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await dialog.getByLabel('Seller wins').check()
  await expect(dialog.getByText('Mecha Gardens #34 stays in custody for the seller.')).toBeVisible()
  await expect(dialog).not.toContainText(/network fee|coins/)
})

test('a decision about an NFT names what the seller has prepaid', async ({ page }) => {
  const paid = { asset: 'ART', amount: '1', party: 'BUYER', address: `0x${'1'.repeat(40)}` }
  const prepaid = { asset: 'MEC', party: 'SELLER', address: null }
  const movements = [
    { kind: 'PAYOUT', ...paid },
    { kind: 'PREPAID_FEE', amount: '2', ...prepaid },
    { kind: 'PREPAID_NETWORK_FEE', amount: '0.4', ...prepaid },
  ]
  await page.route(`**/api/console/appeals/${caseId(12)}`, async (route) => {
    const { data } = await (await route.fetch()).json()
    const allowed = data.allowed.map((one: object) => ({ ...one, movements }))
    await fulfillWith(route, { ...data, order: { ...data.order, base: 'ART', nft: nft('34') }, allowed })
  })
  await openCase(page, 12)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await dialog.getByLabel('Buyer wins').check()
  await expect(dialog).toContainText('Mecha Gardens #34 goes from escrow to the buyer')
  await expect(dialog).toContainText('MEC2C keeps the fee of 2 MEC, which the seller has prepaid.')
  await expect(dialog).toContainText(
    'The network fee of 0.4 MEC, which the seller has prepaid, is used for the transfer.',
  )
})

test('rejecting an appeal continues the order', async ({ page }) => {
  await openCase(page, 10)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await dialog.getByLabel('Reject', { exact: true }).check()
  await expect(dialog.getByText(/the order continues with the time that was left/)).toBeVisible()
  await expect(dialog.getByText('Nothing moves.')).toBeVisible()
  await dialog.getByLabel('Note').fill('Nothing is wrong with this order.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Rejected', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /Decide…/ })).toHaveCount(0)
})

test('a large verdict is a proposal, and the same by a second officer puts it into effect', async ({
  page,
}) => {
  await openCase(page, 11)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await dialog.getByLabel('Buyer wins').check()
  await expect(
    dialog.getByText('Otto has proposed the same. Your decision puts it into effect.'),
  ).toBeVisible()
  await dialog.getByLabel('Seller wins').check()
  await expect(dialog.getByText(/a proposal until a second officer decides the same/)).toBeVisible()
  await expect(dialog.getByText('It replaces the proposal by Otto.')).toBeVisible()
  await dialog.getByLabel('Note').fill('The payment came from another account.')
  await dialog.getByRole('button', { name: 'Propose: seller wins' }).click()
  await expect(page.getByText(/Olga proposes: Seller wins/)).toBeVisible()
  // The same officer cannot agree with themselves.
  await page.keyboard.press('d')
  await dialog.getByLabel('Seller wins').check()
  await expect(dialog.getByText(/a proposal until a second officer decides the same/)).toBeVisible()
  // One officer cannot reject the appeal either.
  await dialog.getByLabel('Reject', { exact: true }).check()
  await expect(dialog.getByText(/a proposal until a second officer decides the same/)).toBeVisible()
  await dialog.getByLabel('Note').fill('Nothing is wrong with this order.')
  await dialog.getByRole('button', { name: 'Propose: reject the appeal' }).click()
  await expect(page.getByText(/Olga proposes: Reject/)).toBeVisible()
  await expect(page.getByText('Proposal: Reject')).toBeVisible()
  await expect(page.getByText('Awaiting a verdict')).toBeVisible()
})

test('a refused decision keeps the note and says why', async ({ page }) => {
  await refuse(page, '**/decision', 403, '6009', 'Appeal officers decide this.')
  await openCase(page, 12)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await dialog.getByLabel('Buyer wins').check()
  await dialog.getByLabel('Note').fill('The bank confirms it.')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Appeal officers decide this.')).toBeVisible()
  await expect(dialog.getByLabel('Note')).toHaveValue('The bank confirms it.')
})

test('a case that changed meanwhile must be reviewed before it is decided', async ({ page }) => {
  await openCase(page, 12)
  const loaded: { data: { version: string } } = await page.evaluate(
    async (url) => (await fetch(url)).json(),
    `/api${pathOf(12)}`,
  )
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await dialog.getByLabel('Buyer wins').check()
  await dialog.getByLabel('Note').fill('The bank confirms it.')
  await page.route(`**/api${pathOf(12)}`, (route) =>
    fulfillWith(route, { ...loaded.data, version: 'changed' }),
  )
  await page.route('**/decision', (route) => {
    const stale = route.request().postDataJSON().version !== 'changed'
    return route.fulfill({
      status: stale ? 409 : 503,
      json: { code: stale ? '5050' : '503', message: stale ? 'It has changed.' : 'Closed.', data: null },
    })
  })
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('It has changed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'I’ve reviewed the changes' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Closed.')).toBeVisible()
})

test('an officer who may not decide sees why', async ({ page }) => {
  await openCase(page, 1)
  const loaded: { data: { allowed: object[] } } = await page.evaluate(
    async (url) => (await fetch(url)).json(),
    `/api${pathOf(1)}`,
  )
  const allowed = loaded.data.allowed.map((one) => ({ ...one, allowed: false, refusal: 'ABOVE_LIMIT' }))
  await page.route(`**/api${pathOf(1)}`, (route) => fulfillWith(route, { ...loaded.data, allowed }))
  await openCase(page, 1)
  await expect(
    page.getByText('Appeals about orders of this value are decided by appeal officers.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /Decide…/ })).toBeDisabled()
  await page.keyboard.press('d')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a choice that is no longer allowed is dropped', async ({ page }) => {
  await page.clock.install()
  await openCase(page, 12)
  const loaded = await page.evaluate(async (url) => (await fetch(url)).json(), `/api${pathOf(12)}`)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await dialog.getByLabel('Buyer wins').check()
  await expect(dialog.getByRole('button', { name: 'Decide for the buyer' })).toBeVisible()
  const allowed = loaded.data.allowed.map((one: { ruling: string }) =>
    one.ruling === 'BUYER' ? { ...one, allowed: false, refusal: 'SHORT' } : one,
  )
  await page.route(`**/api${pathOf(12)}`, (route) =>
    fulfillWith(route, { ...loaded.data, version: 'short', allowed }),
  )
  await page.clock.runFor(21_000)
  await expect(dialog.getByText('This has changed since you opened it.')).toBeVisible()
  await expect(dialog.getByText(/^Part of the deposits is missing from escrow/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Decide', exact: true })).toBeVisible()
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0)
})
