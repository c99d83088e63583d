import { expect, type Page, test } from '@playwright/test'
import { asOlga, open, openCase, pathOf } from './consolePage.ts'
import { fulfillWith } from './overrides.ts'

test.use({ viewport: { width: 1280, height: 800 } })

test.beforeEach(async ({ page }) => {
  await asOlga(page)
})

interface Found {
  summary: { status: string; endedAt: string | null }
  order: object
  allowed: object[]
  transactions: object[]
}

/** Changes what the server says about a case of the mock. */
async function change(page: Page, number: number, changed: (found: Found) => object) {
  await open(page, '/console/appeals')
  const { data } = await page.evaluate(async (url) => (await fetch(url)).json(), `/api${pathOf(number)}`)
  await page.route(`**/api${pathOf(number)}`, (route) => fulfillWith(route, { ...data, ...changed(data) }))
}

test('a proposal that would move other coins now is replaced, not agreed with', async ({ page }) => {
  await change(page, 2, (found) => ({
    allowed: found.allowed.map((one) => ({ ...one, isProposed: false })),
  }))
  await openCase(page, 2)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await dialog.getByLabel('Buyer wins').check()
  await expect(
    dialog.getByText(/replaces the proposal by Otto: since then, the order has changed/),
  ).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Propose: buyer wins' })).toBeVisible()
  await dialog.getByLabel('Seller wins').check()
  await expect(dialog.getByText('It replaces the proposal by Otto.')).toBeVisible()
})

test('a case whose order has continued does not say that nothing has happened', async ({ page }) => {
  await change(page, 5, (found) => ({
    summary: { ...found.summary, status: 'WITHDRAWN' },
    order: { ...found.order, payTo: null, payment: null },
    transactions: [],
  }))
  await openCase(page, 5)
  for (const text of [
    'The order wasn’t marked as paid before the appeal ended.',
    'The seller has changed this account since the appeal ended.',
    'No transaction was confirmed before the appeal ended.',
  ]) {
    await expect(page.getByText(text)).toBeVisible()
  }
})

test('the transactions of an automatic order name who receives each coin', async ({ page }) => {
  await change(page, 9, (found) => {
    const [deposit] = found.transactions
    const of = (kind: string, party: string) => ({ ...deposit, kind, party, hash: null })
    const pairs = [
      of('RELEASE', 'BUYER'),
      of('RELEASE', 'SELLER'),
      of('REFUND', 'BUYER'),
      of('REFUND', 'SELLER'),
    ]
    return { transactions: pairs }
  })
  await openCase(page, 9)
  for (const text of [
    'Release to the buyer',
    'Release to the seller',
    'Return to the buyer',
    'Return to the seller',
  ])
    await expect(page.getByText(text, { exact: true })).toBeVisible()
})
