import { expect, test } from '@playwright/test'
import { receipt, video } from '../mock/files.ts'
import { asOlga, open, openCase, pathOf, refuse } from './consolePage.ts'
import { expectToBeAccessible } from './expectToBeAccessible.ts'
import { expectNoSidewaysScroll } from './expectToFit.ts'
import { fulfillWith } from './overrides.ts'

test.use({ viewport: { width: 1280, height: 800 } })

test.beforeEach(async ({ page }) => {
  await asOlga(page)
})

/** Each screen, with a text that is visible once it has loaded. */
const SCREENS: readonly [name: string, path: string, shows: RegExp, keys: string][] = [
  ['queue', '/console/appeals', /5 h \d\d min/, ''],
  ['queue by risk', '/console/appeals?order=risk', /Otto proposes/, ''],
  ['decided', '/console/appeals?view=decided', /executes in/, ''],
  ['joining', pathOf(3), /Join the case/, ''],
  ['ended, not joined', pathOf(6), /Only the officers who were on the case/, ''],
  ['ended', pathOf(5), /The appeal has ended, so no one can write here any more/, ''],
  ['case', pathOf(1), /The recipient was warned: leads off MEC2C/, ''],
  ['case with a proposal', pathOf(2), /Otto proposes/, ''],
  ['verdict', pathOf(2), /Choose a decision to see what it does/, 'd'],
  ['viewer', pathOf(1), /Used before in another order/, 'e'],
  ['help', pathOf(1), /Write an official message/, '?'],
]

for (const theme of ['dark', 'light'] as const) {
  test(`every screen is accessible and fits in ${theme} colors`, async ({ page }) => {
    test.setTimeout(600_000)
    for (const [name, path, shows, key] of SCREENS) {
      await page.goto('about:blank')
      await open(page, path, 'en', theme)
      if (key !== '') {
        await expect(page.getByRole('region', { name: 'Statements and parties' })).toBeVisible()
        await page.keyboard.press(key)
      }
      await expect(page.getByText(shows).first(), name).toBeVisible()
      await expectToBeAccessible(page, name)
      await expectNoSidewaysScroll(page, name)
    }
  })
}

test('every screen speaks Chinese', async ({ page }) => {
  for (const [name, path] of SCREENS) {
    await page.goto('about:blank')
    await open(page, path, 'zh_CN')
    await expect(page.locator('main'), name).toContainText(/\p{Script=Han}/u)
    expect(await page.locator('main').textContent(), name).not.toMatch(/verdict|appeal|officer/i)
  }
})

test('the queue is walked and filtered with the keyboard, and its views are in the address', async ({
  page,
}) => {
  await open(page, '/console/appeals')
  const rows = page.getByRole('table', { name: 'Appeals' }).getByRole('row')
  // The oldest first, after the titles.
  await expect(rows.nth(1)).toContainText('Receipt used before')
  await expect(rows.filter({ hasText: '25,000 USDT' })).toContainText('Two officers')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/order=amount/)
  await expect(rows.nth(1)).toContainText('25,000 USDT')
  await page.keyboard.press('3')
  await expect(page).toHaveURL(/view=decided/)
  await expect(page.getByText(/executes in/).first()).toBeVisible()
  await page.keyboard.press('4')
  await expect(rows.filter({ hasText: 'Executed' })).toBeVisible()
  await page.keyboard.press('1')
  await expect(rows.filter({ hasText: '25,000 USDT' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(rows.nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(pathOf(2))
  await expect(page.getByRole('heading', { name: '25,000 USDT for 23,000 EUR' })).toBeVisible()
  await page.keyboard.press('b')
  await expect(page).toHaveURL(/\/console\/appeals$/)
})

test('the queue shows no personal data and refreshes itself', async ({ page }) => {
  await page.clock.install()
  await open(page, '/console/appeals')
  const table = page.getByRole('table', { name: 'Appeals' })
  await expect(table).toContainText('100 MEC')
  for (const secret of ['kaya', 'MinhTrader', 'Minh Tran']) await expect(table).not.toContainText(secret)
  const polled = page.waitForRequest('**/api/console/appeals?**')
  await page.clock.runFor(21_000)
  await polled
})

test('polls stop while no one uses the console, and begin again with the next key', async ({ page }) => {
  await page.clock.install()
  await open(page, '/console/appeals')
  await expect(page.getByText('25,000 USDT').first()).toBeVisible()
  await page.clock.runFor(6 * 60_000)
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/console/appeals')) calls += 1
  })
  // A poll that was still on its way ends later on a busy machine.
  await expect
    .poll(async () => {
      calls = 0
      await page.clock.runFor(2 * 60_000)
      return calls
    })
    .toBe(0)
  const back = page.waitForRequest('**/api/console/appeals?**')
  await page.keyboard.press('j')
  await back
})

test('an empty queue, a failure and a lost connection are shown', async ({ page, context }) => {
  await page.route('**/api/console/appeals?*', (route) =>
    fulfillWith(route, { records: [], total: 0, page: 1, size: 20 }),
  )
  await open(page, '/console/appeals')
  await expect(page.getByText('No open appeals')).toBeVisible()
  await page.keyboard.press('2')
  await expect(page.getByText('You’re on no case')).toBeVisible()
  await refuse(page, '**/api/console/appeals?*', 403, '403', 'Not allowed.')
  await page.keyboard.press('4')
  await expect(page.getByText('Not allowed.')).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('You’re offline. This page may be out of date.')).toBeVisible()
})

test('a case opens only after joining it, which is said to be recorded', async ({ page }) => {
  await open(page, pathOf(7))
  await expect(page.getByText('You’re not on this case')).toBeVisible()
  await expect(page.getByText('No one acted for seven days')).toBeVisible()
  await expect(page.getByText(/are recorded in the audit log with your name/)).toBeVisible()
  await expect(page.getByText('kaya')).toHaveCount(0)
  const sent = page.waitForRequest('**/join')
  await page.keyboard.press('i')
  expect((await sent).headers()['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  await expect(page.getByText('kaya').first()).toBeVisible()
  await page.getByRole('button', { name: 'Leave the case' }).click()
  await expect(page).toHaveURL(/\/console\/appeals$/)
  await open(page, pathOf(7))
  await expect(page.getByText('You’re not on this case')).toBeVisible()
})

test('joining asks for the one case that it shows, and says when there is none', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/console/appeals')) asked.push(pathname)
  })
  await open(page, pathOf(3))
  await expect(page.getByText('4,200 MEC · MEC/KRW')).toBeVisible()
  // The colleagues are those to whom the case can be assigned.
  const wanted = [`/api${pathOf(3)}`, `/api${pathOf(3)}/summary`, '/api/console/appeals/officers']
  await expect.poll(() => new Set(asked)).toEqual(new Set(wanted))
  await refuse(page, '**/summary', 404, '5001', 'This appeal doesn’t exist.')
  await open(page, pathOf(3))
  await expect(page.getByText('This appeal doesn’t exist.')).toBeVisible()
  await expect(page.getByRole('button', { name: /Join the case/ })).toHaveCount(0)
  await page.keyboard.press('i')
  await expect(page.getByText('You’re not on this case')).toBeVisible()
})

test('a case shows both sides, and its verdict button never leaves the screen', async ({ page }) => {
  await openCase(page, 1)
  const decide = page.getByRole('button', { name: /Decide…/ })
  await expect(decide).toBeInViewport({ ratio: 1 })
  const order = page.getByRole('region', { name: 'Order', exact: true })
  await expect(order).toContainText('48.35 USD')
  await expect(order).toContainText('Used before')
  await expect(order.getByText('Payer’s account name')).toBeVisible()
  await expect(order.getByRole('button', { name: 'Copy Payer’s account name' })).toBeVisible()
  await expect(order).toContainText('Kaya Demir')
  const sides = page.getByRole('region', { name: 'Statements and parties' })
  await expect(sides.getByRole('row', { name: 'Credit score 60 100' })).toBeVisible()
  await expect(sides.getByRole('row', { name: /Restrictions Withdrawals blocked –/ })).toBeVisible()
  await sides.evaluate((column) => column.scrollTo(0, column.scrollHeight))
  await sides.getByText('Seller', { exact: true }).last().click()
  await expect(sides.getByText('bought 120 MEC')).toBeVisible()
  await expect(decide).toBeInViewport({ ratio: 1 })
  const talk = page.getByRole('log', { name: 'Timeline and chat' })
  await expect(talk.getByText('Appeal filed · Seller')).toBeVisible()
  await page.getByText('Chat', { exact: true }).click()
  await expect(talk.getByText('Appeal filed · Seller')).toHaveCount(0)
  await page.getByText('Timeline', { exact: true }).click()
  await expect(talk.getByText('Order accepted · Seller')).toBeVisible()
  await expect(talk.getByText('Hello? Please answer.')).toHaveCount(0)
  // The seller of a buy ad has sent coins for this order only.
  await openCase(page, 9)
  await expect(order.getByRole('button', { name: 'Copy Hash' })).toBeVisible()
})

test('pictures are walked and zoomed with the keyboard, and videos play', async ({ page }) => {
  await openCase(page, 1)
  await page.keyboard.press('e')
  const first = page.getByRole('dialog', { name: 'Receipt of the buyer' })
  await expect(first).toContainText('1 / 5')
  await expect(first).toContainText('Used before in another order')
  const picture = first.getByRole('img')
  const before = await picture.boundingBox()
  await page.keyboard.press('+')
  await expect.poll(async () => (await picture.boundingBox())?.width).toBeGreaterThan(before?.width ?? 0)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'Evidence of the buyer' })).toContainText('2 / 5')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  const last = page.getByRole('dialog', { name: 'Evidence of the seller' })
  await expect(last).toContainText('5 / 5')
  await expect(last.locator('video')).toHaveAttribute('controls')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('an official message is shown at once, and one that was refused can be sent again', async ({ page }) => {
  await openCase(page, 8)
  await page.keyboard.press('w')
  const field = page.getByLabel('Official message to both parties')
  await expect(field).toBeFocused()
  let release: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const keys: (string | undefined)[] = []
  let refused = true
  await page.route('**/talk', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    await held
    if (refused) await route.fulfill({ status: 503, json: { code: '503', message: 'Closed.', data: null } })
    else await route.fallback()
  })
  await field.fill('Please send the statement.')
  await page.keyboard.press('Control+Enter')
  const log = page.getByRole('log')
  await expect(log.getByText('Please send the statement.')).toBeVisible()
  await expect(log.getByRole('img', { name: 'Sending' })).toBeVisible()
  await expect(field).toHaveValue('')
  release()
  await expect(log.getByRole('img', { name: 'Not sent' })).toBeVisible()
  refused = false
  await log.getByRole('button', { name: 'Try again' }).click()
  await expect(log.getByRole('img', { name: /^(?:Not sent|Sending)$/ })).toHaveCount(0)
  await expect(log.getByText('MEC2C customer service · Olga').last()).toBeVisible()
  await expect(log.getByText('Please send the statement.')).toHaveCount(1)
  // However often it is sent, it is said once.
  expect(new Set(keys).size).toBe(1)
})

test('a case that has ended is read-only', async ({ page }) => {
  await openCase(page, 5)
  await expect(page.getByText(/no one can write here any more. You can read the case until/)).toBeVisible()
  await expect(page.getByRole('log').getByText('Hello? Please answer.')).toBeVisible()
  await page.keyboard.press('w')
  await page.keyboard.press('d')
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Decide…|Leave the case/ })).toHaveCount(0)
})

test('a case that the officer left elsewhere closes', async ({ page }) => {
  await page.clock.install()
  await openCase(page, 1)
  await expect(page.getByText('kaya').first()).toBeVisible()
  await refuse(page, `**/api${pathOf(1)}`, 403, '6008', 'You are not on this case.')
  await page.clock.runFor(21_000)
  await expect(page.getByText('You’re not on this case')).toBeVisible()
  await expect(page.getByText('kaya')).toHaveCount(0)
})

test('expired links to files are renewed, in the case, in the chat and in the viewer', async ({ page }) => {
  await openCase(page, 1)
  const read = (path: string) => page.evaluate(async (url) => (await fetch(url)).json(), path)
  const [{ data: found }, { data: talk }] = await Promise.all([
    read(`/api${pathOf(1)}`),
    read(`/api${pathOf(1)}/talk?after=0`),
  ])
  const fresh = receipt('f-fresh').url
  const expired = (name: string) => `/expired-${name}`
  await page.route('**/expired-*', (route) => route.fulfill({ status: 403 }))
  let reads = 0
  await page.route(`**/api${pathOf(1)}`, (route) => {
    reads += 1
    const file = { ...video('f-video'), url: reads === 1 ? expired('evidence') : fresh }
    const evidence = [{ file, by: 'BUYER', at: found.appeal.filedAt }]
    return fulfillWith(route, { ...found, appeal: { ...found.appeal, evidence } })
  })
  let renewed = false
  await page.route(`**/api${pathOf(1)}/talk?*`, (route) => {
    const after = Number(new URL(route.request().url()).searchParams.get('after'))
    renewed ||= after === 9
    const url = renewed ? fresh : expired('message')
    const entries = talk.entries.filter(({ number }: { number: number }) => number > after)
    for (const one of entries) if (one.number === 10) one.files = [{ ...receipt('f-message'), url }]
    return fulfillWith(route, { ...talk, entries })
  })
  await openCase(page, 1)
  await expect(page.getByRole('log').locator('img')).toHaveAttribute('src', fresh)
  await page.getByRole('button', { name: 'Enlarge: Evidence of the buyer 1' }).click()
  const viewer = page.getByRole('dialog', { name: 'Evidence of the buyer' })
  await expect(viewer.locator('video')).toHaveAttribute('src', fresh)
})

test('a case that could not be refreshed says so and is read again', async ({ page }) => {
  await page.clock.install()
  await openCase(page, 1)
  const stale = page.getByText('Couldn’t refresh. This may be out of date.')
  for (const path of [`**/api${pathOf(1)}`, `**/api${pathOf(1)}/talk?*`]) {
    await refuse(page, path, 429, '429', 'Too many attempts.')
    await page.clock.runFor(21_000)
    await expect(stale).toHaveCount(1)
    await page.unroute(path)
    await page.clock.runFor(21_000)
    await expect(stale).toHaveCount(0)
  }
})

test('a refused official message waits in its case until it is sent or discarded', async ({ page }) => {
  await openCase(page, 8)
  await page.route('**/talk', (route) =>
    route.fulfill({ status: 503, json: { code: '503', message: 'Closed.', data: null } }),
  )
  const log = page.getByRole('log')
  const field = page.getByLabel('Official message to both parties')
  for (const text of ['Which bank was it?', 'Please add the receipt.']) {
    await field.fill(text)
    await page.keyboard.press('Control+Enter')
    await expect(log.getByText(text)).toBeVisible()
  }
  await expect(log.getByRole('img', { name: 'Not sent' })).toHaveCount(2)
  await page.getByRole('link', { name: 'Back to the appeals' }).click()
  await expect(page.getByRole('table', { name: 'Appeals' })).toBeVisible()
  await page.goBack()
  await expect(log.getByRole('img', { name: 'Not sent' })).toHaveCount(2)
  await log.getByRole('button', { name: 'Discard' }).first().click()
  await page.unroute('**/talk')
  await log.getByRole('button', { name: 'Try again' }).click()
  await expect(log.getByRole('img', { name: /^(?:Not sent|Sending)$/ })).toHaveCount(0)
  await expect(log.getByText('Please add the receipt.')).toHaveCount(1)
  await expect(log.getByText('Which bank was it?')).toHaveCount(0)
})

test('an official message hides no entry that precedes it', async ({ page }) => {
  await openCase(page, 8)
  const log = page.getByRole('log')
  const last = 100
  const earlier = { kind: 'MESSAGE', author: 'BUYER', officer: null, files: [], warnings: [], notice: null }
  const said = { ...earlier, number: last - 1, text: 'Said meanwhile.', at: new Date().toISOString() }
  const own = { ...said, kind: 'OFFICER', author: null, officer: 'Olga', number: last, text: 'Said last.' }
  await page.route('**/talk', (route) => fulfillWith(route, own))
  await page.route('**/talk?*', (route) => {
    const after = Number(new URL(route.request().url()).searchParams.get('after'))
    const entries = [said, own].filter(({ number }) => number > after)
    return fulfillWith(route, { entries, last, marks: [], open: true })
  })
  await page.getByLabel('Official message to both parties').fill('Said last.')
  await page.keyboard.press('Control+Enter')
  await expect(log.getByText('Said meanwhile.')).toBeVisible()
  await expect(log.getByText('Said last.')).toHaveCount(1)
})
