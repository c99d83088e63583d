import { expect, type Page, test } from '@playwright/test'
import { caseId } from '../mock/values.ts'
import { asOlga, open, openCase, pathOf } from './consolePage.ts'
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

/** Answers how much waits. */
async function wait(page: Page, open: number, mine: number, decided: number) {
  await page.route('**/api/console/waiting', (route) =>
    fulfillWith(route, { appeals: { open, mine, decided }, nicknames: null, payouts: null }),
  )
}

test('the menu and the views say how much waits, also with the menu of a case', async ({ page }) => {
  await wait(page, 12, 1, 1_000)
  await open(page, '/console/appeals')
  const menu = page.getByRole('navigation', { name: 'Sections' })
  await expect(menu.getByRole('link', { name: 'Appeals 12 waiting' })).toBeVisible()
  const views = page.getByRole('group', { name: 'Show' })
  await expect(views.getByText('Mine', { exact: false })).toContainText('1')
  await expect(views.getByText('Decided', { exact: false })).toContainText('999+')
  await openCase(page, 1)
  await expect(menu.getByRole('link', { name: 'Appeals 12 waiting' })).toBeVisible()
})

test('the color and the words say what is due soon and what is overdue', async ({ page }) => {
  await open(page, '/console/appeals')
  const rows = page.getByRole('table', { name: 'Appeals' }).getByRole('row')
  const over = rows.filter({ hasText: 'Receipt used before' }).getByText(/overdue for 2 h 1\d min/)
  await expect(over).toHaveClass(/text-sell/)
  await expect(rows.filter({ hasText: '25,000 USDT' }).getByText(/due in 18 h/)).toHaveClass(/text-muted/)
  await openCase(page, 1)
  await expect(page.getByText(/overdue for 2 h 1\d min/)).toBeVisible()
  await open(page, '/console/appeals?view=decided')
  await expect(page.getByText(/executes in/).first()).toBeVisible()
  await expect(page.getByText(/due in|overdue for/)).toHaveCount(0)
})

test('who can decide a case is explained', async ({ page }) => {
  await openCase(page, 2)
  await page.getByRole('button', { name: 'Needs: Two officers' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who decides an appeal' })
  await expect(dialog.getByText('Up to 500 USDT: customer service or an appeal officer.')).toBeVisible()
  await expect(dialog.locator('[aria-current=true]')).toContainText('Above 10,000 USDT')
  await expect(dialog.getByText('An appeal is due 24 hours after it was filed.')).toBeVisible()
  await expectToBeAccessible(page, 'who decides')
})

test('after a decision, a key leads to the next case', async ({ page }) => {
  await openCase(page, 13)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Decide the appeal' })
  await dialog.getByLabel('Buyer wins').check()
  await dialog.getByLabel('Note').fill('The bank confirms the payment.')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  const link = page.getByRole('link', { name: 'Next case' })
  await expect(link).toHaveAttribute('href', pathOf(1))
  await page.keyboard.press('n')
  await expect(page).toHaveURL(pathOf(1))
  // The case that is open is not the next one.
  await expect(page.getByRole('link', { name: 'Next case' })).not.toHaveAttribute('href', pathOf(1))
})

test('without another case, nothing leads to one', async ({ page }) => {
  await page.route('**/api/console/appeals/next?**', (route) => fulfillWith(route, { appeal: null }))
  const asked = page.waitForRequest(`**/api/console/appeals/next?omit=${caseId(1)}`)
  await openCase(page, 1)
  await asked
  await expect(page.getByRole('link', { name: 'Next case' })).toHaveCount(0)
})

test('the officers on a case share private notes', async ({ page }) => {
  await openCase(page, 14)
  const notes = page.getByRole('region', { name: 'Statements and parties' })
  await expect(notes.getByText('Officers only')).toBeVisible()
  const add = notes.getByRole('button', { name: 'Add the note' })
  await expect(add).toBeDisabled()
  await notes.getByLabel('New note').fill('  I wait for the bank.  ')
  const sent = page.waitForRequest('**/notes')
  await add.click()
  expect((await sent).postDataJSON()).toEqual({ text: 'I wait for the bank.' })
  await expect(notes.getByText('I wait for the bank.')).toBeVisible()
  await expect(notes.getByLabel('New note')).toHaveValue('')
  // A note that could not be sent stays in its field, with the reason.
  await page.route('**/notes', (route) => route.abort())
  await notes.getByLabel('New note').fill('Second note')
  await add.click()
  await expect(notes.getByRole('alert')).toBeVisible()
  await expect(notes.getByLabel('New note')).toHaveValue('Second note')
  // Nobody writes about an appeal that has ended.
  await openCase(page, 5)
  await expect(page.getByText('Private notes')).toBeVisible()
  await expect(page.getByLabel('New note')).toHaveCount(0)
})

test('cases are found from the queue, and the search is in the address', async ({ page }) => {
  await open(page, '/console/appeals')
  await page.keyboard.press('/')
  await expect(page.getByLabel('Find a case')).toBeFocused()
  await page.getByLabel('Find a case').fill('  MinhTrader ')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/console/appeals?query=MinhTrader')
  await expect(page.getByRole('heading', { name: 'Found cases' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Appeals' })).toContainText('25,000 USDT')
  await page.getByRole('link', { name: 'All appeals' }).click()
  await expect(page.getByRole('heading', { name: 'Appeals', exact: true })).toBeVisible()
  await expect(page.getByLabel('Find a case')).toHaveValue('')
  await open(page, '/console/appeals?query=nobody')
  await expect(page.getByText('No case found')).toBeVisible()
  await expectToBeAccessible(page, 'no case found')
  await page.route('**/api/console/appeals/search?**', (route) => route.abort())
  await open(page, '/console/appeals?query=kaya')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('an appeal is assigned from its case and before joining it', async ({ page }) => {
  await openCase(page, 15)
  const select = page.getByLabel('Assigned to')
  // Whoever joins first is responsible.
  await expect(select).toHaveValue('officer-2')
  const sent = page.waitForRequest('**/assignee')
  await select.selectOption({ label: 'Otto (3)' })
  expect((await sent).postDataJSON()).toEqual({ officerId: 'officer-5', before: 'officer-2' })
  await expect(select).toHaveValue('officer-5')
  await expect(select.locator('option:checked')).toHaveText('Otto (4)')
  await expectToBeAccessible(page, 'an assigned case')
  await open(page, pathOf(3))
  await expect(page.getByLabel('Assigned to')).toHaveValue('officer-6')
  await open(page, '/console/appeals')
  await expect(page.getByRole('row', { name: /4,200 MEC/ })).toContainText('Mina')
  await expect(page.getByRole('row', { name: /4,200 MEC/ })).toContainText('responsible')
})

test('a party is asked for named evidence, and the case shows what is overdue and answered', async ({
  page,
}) => {
  await open(page, '/console/appeals')
  const row = page.getByRole('row').filter({ hasText: 'Receipt used before' })
  await expect(row.getByText('Evidence requested')).toBeVisible()
  await expect(row.getByText(/overdue for 1 h/)).toHaveClass(/text-sell/)
  await openCase(page, 1)
  const panel = page.getByRole('region', { name: 'Statements and parties' })
  await expect(panel.getByText('Buyer: Proof of who holds the account')).toBeVisible()
  await expect(panel.getByText(/overdue for 1 h/)).toHaveClass(/text-sell/)
  await expect(panel.getByText(/^answered /)).toHaveClass(/text-brand/)

  await openCase(page, 14)
  const ask = panel.getByRole('button', { name: 'Ask for evidence…' })
  await ask.click()
  const dialog = page.getByRole('dialog', { name: 'Ask for evidence' })
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0)
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Choose who is asked.')).toBeVisible()
  await expect(dialog.getByText('Choose what you ask for.')).toBeVisible()
  await dialog.getByLabel('Buyer').check()
  await dialog.getByLabel('Evidence').selectOption({ label: 'Something else' })
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Say what you ask for.')).toBeVisible()
  await dialog.getByLabel('Evidence').selectOption({ label: 'Bank statement of the transfer' })
  await dialog.getByLabel('Details (optional)').fill('  Of 24 November.  ')
  await dialog.getByLabel('Time to answer').selectOption({ label: '2 days' })
  await expectToBeAccessible(page, 'a request for evidence')
  const sent = page.waitForRequest('**/evidence-requests')
  await page.keyboard.press('Control+Enter')
  expect((await sent).postDataJSON()).toEqual({
    party: 'BUYER',
    kind: 'BANK_STATEMENT',
    details: 'Of 24 November.',
    hours: 48,
  })
  await expect(dialog).toHaveCount(0)
  await expect(panel.getByText('Buyer: Bank statement of the transfer')).toBeVisible()
  await expect(panel.getByText(/^due in (?:2 d 0 h|1 d 23 h)/)).toBeVisible()
  await expectToBeAccessible(page, 'requests for evidence')

  // One that was answered meanwhile stays, and the officer reads why.
  await page.route('**/evidence-requests/close', (route) =>
    route.fulfill({ status: 409, json: { code: '5050', message: 'It has changed.', data: null } }),
  )
  await panel.getByRole('button', { name: 'Take back: Bank statement of the transfer' }).click()
  await expect(panel.getByRole('alert')).toBeVisible()
  await page.unroute('**/evidence-requests/close')
  await panel.getByRole('button', { name: 'Take back: Bank statement of the transfer' }).click()
  await expect(panel.getByText(/^taken back /)).toHaveCount(1)
  // A new request replaces one that waits.
  for (const kind of ['Proof of who holds the account', 'Messages outside MEC2C']) {
    await ask.click()
    await dialog.getByLabel('Buyer').check()
    await expect(dialog.getByText(/^It replaces .*: Proof/)).toHaveCount(kind.startsWith('Proof') ? 0 : 1)
    await dialog.getByLabel('Evidence').selectOption({ label: kind })
    await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
    await expect(dialog).toHaveCount(0)
  }
  await expect(panel.getByText(/^taken back /)).toHaveCount(2)
  await openCase(page, 5)
  await expect(page.getByRole('button', { name: 'Ask for evidence…' })).toHaveCount(0)
})

test('a template is picked in the languages of the readers, and changed before it is sent', async ({
  page,
}) => {
  await openCase(page, 14)
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog', { name: 'Templates' })
  await expect(dialog.getByRole('button', { name: /^Please stay polite/ })).toContainText('请保持礼貌')
  await expectToBeAccessible(page, 'templates')
  await dialog.getByRole('button', { name: /^Please stay polite/ }).click()
  await expect(dialog).toHaveCount(0)
  const field = page.getByLabel('Official message to both parties')
  await expect(field).toHaveValue(/^Please stay polite and write only about this order\..*\n\n请保持礼貌/)
  await page.getByRole('button', { name: 'Templates' }).click()
  await dialog.getByText('简体中文').click()
  await expect(dialog.getByRole('button', { name: /^Write only here/ })).not.toContainText('this chat')
  await dialog.getByText('English').click()
  await dialog.getByRole('button', { name: /^Write only here/ }).click()
  await expect(field).toHaveValue(/请保持礼貌.*\n\nPlease write only in this chat\./)
  // What was written stays if a template does not fit.
  await field.fill('x'.repeat(900))
  await page.getByRole('button', { name: 'Templates' }).click()
  await dialog.getByRole('button', { name: /^Please add evidence/ }).click()
  await expect(page.getByText('It doesn’t fit: a message has at most 1000 characters.')).toBeVisible()
  await expect(field).toHaveValue('x'.repeat(900))
  await field.fill('Please stay polite, Kaya.')
  const sent = page.waitForRequest('**/talk')
  await page.getByRole('button', { name: 'Send' }).click()
  expect((await sent).postDataJSON()).toEqual({ text: 'Please stay polite, Kaya.' })
})
