import { expect, type Locator, type Page, test } from '@playwright/test'
import { asOlga, open, openCase, pathOf, refuse } from './consolePage.ts'
import { fulfillWith } from './overrides.ts'

test.use({ viewport: { width: 1280, height: 800 } })

interface Sent {
  key: string
  body: { version: string }
}

/** Answers a decision like the server: each key is carried out once, and only about the current version. */
async function serve(
  page: Page,
  path: string,
  { version, carryOut, losesFirst }: { version: () => string; carryOut: () => unknown; losesFirst: boolean },
): Promise<Sent[]> {
  const sent: Sent[] = []
  const responses = new Map<string, unknown>()
  let lost = !losesFirst
  await page.route(path, async (route) => {
    const key = route.request().headers()['idempotency-key'] ?? ''
    const body: Sent['body'] = route.request().postDataJSON()
    sent.push({ key, body })
    if (!responses.has(key) && body.version !== version())
      return route.fulfill({ status: 409, json: { code: '5050', message: 'It has changed.', data: null } })
    if (!responses.has(key)) responses.set(key, carryOut())
    if (lost) return fulfillWith(route, responses.get(key))
    lost = true
    return route.fulfill({ status: 502, body: 'Bad gateway' })
  })
  return sent
}

const data = async (page: Page, path: string) =>
  (await page.evaluate(async (url) => (await fetch(url)).json(), path)).data

const CHANGED = 'This has changed since you opened it.'

/** Sends the decision, whose response is lost, and again once the page shows its effect. */
async function sendTwice(page: Page, dialog: Locator, sent: Sent[], effect: () => Promise<void>) {
  const title = await dialog.getByRole('heading').first().textContent()
  await page.keyboard.press('Control+Enter')
  await effect()
  await expect(dialog.getByText(/network is unstable/)).toBeVisible()
  await expect(dialog.getByRole('heading').first()).toHaveText(title ?? '')
  await expect(dialog.getByRole('textbox').last()).toBeVisible()
  await expect(dialog.getByText(CHANGED)).toHaveCount(0)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
}

/** Sends the decision after a colleague has made the same. */
async function sendTooLate(page: Page, dialog: Locator, sent: Sent[], says: string | RegExp) {
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText(says)).toBeVisible()
  await expect(dialog.getByRole('textbox')).toHaveCount(0)
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
  expect(sent).toHaveLength(1)
}

/** A pair that is turned off by the decision of this officer, or by a colleague. */
async function pairToTurnOff(page: Page, losesFirst: boolean) {
  await open(page, '/console/pairs/1')
  let pairs: { id: number; version: string; settings: { name: string; value: string }[] }[] = await data(
    page,
    '/api/console/pairs',
  )
  const set = (trading: string, version: string) => {
    pairs = pairs.map((one) =>
      one.id === 1
        ? {
            ...one,
            version,
            settings: one.settings.map((setting) =>
              setting.name === 'trading' ? { ...setting, value: trading } : setting,
            ),
          }
        : one,
    )
  }
  const found = () => pairs.find((one) => one.id === 1)
  set('on', 'before')
  await page.route('**/api/console/pairs', (route) => fulfillWith(route, pairs))
  const sent = await serve(page, '**/api/console/pairs/1', {
    version: () => found()?.version ?? '',
    carryOut: () => {
      set('off', 'after')
      return found()
    },
    losesFirst,
  })
  await open(page, '/console/pairs/1')
  await page.getByRole('button', { name: 'Turn off MEC/USDT' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn off MEC/USDT' })
  await dialog.getByLabel('Reason').fill('The price is wrong.')
  return { dialog, sent, colleague: () => set('off', 'of a colleague') }
}

test('turning a pair off again after a lost response repeats the same command', async ({ page }) => {
  const { dialog, sent } = await pairToTurnOff(page, true)
  await sendTwice(page, dialog, sent, () => expect(page.locator('h1')).toContainText('Off'))
  await expect(page.locator('h1')).toContainText('Off')
})

test('a pair that a colleague has turned off is not turned on', async ({ page }) => {
  const { dialog, sent, colleague } = await pairToTurnOff(page, false)
  colleague()
  await sendTooLate(page, dialog, sent, /^MEC\/USDT is already turned off\./)
})

test('a reason that is changed after a lost response is another command, about what was reviewed', async ({
  page,
}) => {
  const { dialog, sent } = await pairToTurnOff(page, true)
  await page.keyboard.press('Control+Enter')
  await expect(page.locator('h1')).toContainText('Off')
  await expect(dialog.getByText(/network is unstable/)).toBeVisible()
  await dialog.getByLabel('Reason').fill('The price is very wrong.')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText(/^MEC\/USDT is already turned off\./)).toBeVisible()
  expect(sent.map(({ body }) => body.version)).toEqual(['before', 'before'])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
})

/** An officer who is disabled by the decision of this officer, or by a colleague. */
async function officerToDisable(page: Page, losesFirst: boolean) {
  await open(page, '/console/officers')
  const officers: object[] = await data(page, '/api/console/officers')
  let carl = {
    ...officers[2],
    id: 'officer-3',
    name: 'Carl',
    disabledAt: null as string | null,
    version: 'before',
  }
  const disable = (version: string) => {
    carl = { ...carl, disabledAt: '2026-01-01T00:00:00Z', version }
  }
  await page.route('**/api/console/officers', (route) => fulfillWith(route, [...officers.slice(0, 2), carl]))
  const sent = await serve(page, '**/api/console/officers/officer-3', {
    version: () => carl.version,
    carryOut: () => {
      disable('after')
      return carl
    },
    losesFirst,
  })
  await open(page, '/console/officers')
  const row = page.locator('tr').filter({ hasText: 'Carl' })
  await row.getByRole('button', { name: 'Disable' }).click()
  const dialog = page.getByRole('dialog', { name: 'Disable Carl' })
  await dialog.getByLabel('Reason').fill('Left the company.')
  return { dialog, row, sent, colleague: () => disable('of a colleague') }
}

test('disabling an officer again after a lost response repeats the same command', async ({ page }) => {
  const { dialog, row, sent } = await officerToDisable(page, true)
  await sendTwice(page, dialog, sent, () =>
    expect(row.locator('button').filter({ hasText: 'Enable' })).toBeVisible(),
  )
})

test('an officer whom a colleague has disabled is not enabled', async ({ page }) => {
  const { dialog, sent, colleague } = await officerToDisable(page, false)
  colleague()
  await sendTooLate(page, dialog, sent, /^Carl is already disabled\./)
})

/** A case in which this officer or a colleague decides, or revokes the verdict. */
async function caseToDecide(page: Page, losesFirst: boolean, decided = false) {
  await asOlga(page)
  await page.clock.install()
  await openCase(page, 12)
  const loaded = await data(page, `/api${pathOf(12)}`)
  const option = (ruling: string, refusal: string | null) => ({
    ruling,
    refusal,
    allowed: refusal === null,
    outcome: null,
    movements: [],
  })
  const caseOf = (verdict: boolean, version: string) => ({
    ...loaded,
    version,
    appeal: { ...loaded.appeal, status: verdict ? 'DECIDED' : 'PENDING', winner: verdict ? 'BUYER' : null },
    summary: {
      ...loaded.summary,
      status: verdict ? 'DECIDED' : 'PENDING',
      executesAt: verdict ? '2030-01-01T00:00:00Z' : null,
    },
    allowed: [
      ...['BUYER', 'SELLER', 'REJECT'].map((ruling) => option(ruling, verdict ? 'DECIDED' : null)),
      option('REOPEN', verdict ? null : 'NOT_DECIDED'),
    ],
  })
  let found = caseOf(decided, 'before')
  await page.route(`**/api${pathOf(12)}`, (route) => fulfillWith(route, found))
  const sent = await serve(page, `**/api${pathOf(12)}/decision`, {
    version: () => found.version,
    carryOut: () => {
      found = caseOf(!decided, 'after')
      return { status: 'DONE', case: found }
    },
    losesFirst,
  })
  await openCase(page, 12)
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: decided ? 'Revoke the verdict' : 'Decide the appeal' })
  if (!decided) await dialog.getByLabel('Buyer wins').check()
  await dialog.getByLabel('Note').fill('The bank confirms it.')
  const colleague = async () => {
    found = caseOf(!decided, 'of a colleague')
    const read = page.waitForResponse(`**/api${pathOf(12)}`)
    await page.clock.runFor(21_000)
    await read
  }
  return { dialog, sent, colleague }
}

for (const decided of [false, true]) {
  const what = decided ? 'revoking a verdict' : 'deciding an appeal'
  const button = decided ? /^Decide…/ : /^Revoke the verdict…/

  test(`${what} again after a lost response repeats the same command`, async ({ page }) => {
    const { dialog, sent } = await caseToDecide(page, true, decided)
    await sendTwice(page, dialog, sent, () =>
      expect(page.locator('header button').filter({ hasText: button })).toBeVisible(),
    )
    expect(sent[0]?.body).toMatchObject({
      ruling: decided ? 'REOPEN' : 'BUYER',
      note: 'The bank confirms it.',
    })
  })

  test(`after a colleague, ${what} is not offered, nor its opposite`, async ({ page }) => {
    const { dialog, sent, colleague } = await caseToDecide(page, false, decided)
    await colleague()
    const says = decided ? /^There’s no verdict left to revoke\./ : /^The appeal is already decided\./
    await expect(dialog.getByText(says)).toBeVisible()
    await expect(dialog.getByRole('textbox')).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toHaveCount(0)
    expect(sent).toEqual([])
  })
}

test('a nickname and restrictions are sent again after a lost response, although they are then decided', async ({
  page,
}) => {
  await open(page, '/console/nicknames')
  const [{ id }] = await data(page, '/api/console/users?query=m')
  const details = await data(page, `/api/console/users/${id}`)
  const pendingSince = '2026-01-01T00:00:00Z'
  let user = {
    ...details.user,
    nickname: 'Captain',
    nicknamePendingSince: pendingSince,
    flags: [],
    version: '1',
  }
  await page.route('**/api/console/nicknames*', (route) =>
    fulfillWith(route, user.nicknamePendingSince === null ? [] : [{ user, since: pendingSince }]),
  )
  await page.route(`**/api/console/users/${id}`, (route) => fulfillWith(route, { ...details, user }))
  const carryOut = (change: object) => () => {
    user = { ...user, ...change, version: `${user.version}1` }
    return { ...details, user }
  }
  const version = () => user.version
  const named = await serve(page, `**/api/console/users/${id}/nickname`, {
    version,
    carryOut: carryOut({ nicknamePendingSince: null }),
    losesFirst: true,
  })
  await open(page, '/console/nicknames')
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  const review = page.getByRole('dialog', { name: 'Review “Captain”' })
  await review.locator('label', { hasText: 'Approve' }).click()
  await review.getByLabel('Reason').fill('A fine name.')
  await sendTwice(page, review, named, () =>
    expect(page.locator('main').getByText('All nicknames are reviewed')).toBeVisible(),
  )

  const restricted = await serve(page, `**/api/console/users/${id}/flags`, {
    version,
    carryOut: carryOut({ flags: ['BUY'] }),
    losesFirst: true,
  })
  await open(page, `/console/users/${id}`)
  await page.getByRole('button', { name: 'Restrictions' }).click()
  const flags = page.getByRole('dialog', { name: 'Restrictions' })
  await flags.getByRole('checkbox', { name: 'Buying' }).check()
  await flags.getByLabel('Reason').fill('Reported twice.')
  await sendTwice(page, flags, restricted, () =>
    expect(page.locator('main').getByText('Buying')).toBeVisible(),
  )
})

test('a payout is voided again after a lost response, although it then is no longer failing', async ({
  page,
}) => {
  await open(page, '/console/payouts')
  const loaded = await data(page, '/api/console/payouts')
  const leg = { ...loaded.failing[0], reference: '1300', voidedIfRefused: false, version: '0' }
  let payouts = { stops: [], vaults: [], uncredited: [], failing: [leg] }
  await page.route('**/api/console/payouts', (route) => fulfillWith(route, payouts))
  const sent = await serve(page, '**/legs/1300/void', {
    version: () => payouts.failing[0]?.version ?? '',
    carryOut: () => {
      payouts = { ...payouts, failing: [] }
      return payouts
    },
    losesFirst: true,
  })
  await open(page, '/console/payouts')
  await page.getByRole('button', { name: 'Void…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Void payout 1300' })
  await dialog.getByLabel('Reason').fill('It can never succeed.')
  await sendTwice(page, dialog, sent, () =>
    expect(page.locator('main').getByText('All payouts are running')).toBeVisible(),
  )
})

test('a decision that fails says that it may have been made', async ({ page }) => {
  const { dialog } = await pairToTurnOff(page, false)
  await refuse(page, '**/api/console/pairs/1', 500, '500', '')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText(/we can’t tell whether your request went through/)).toBeVisible()
})

test('a dialog stays open while its decision is sent', async ({ page }) => {
  await open(page, '/console/pairs/1')
  let respond = () => {}
  const held = new Promise<void>((resolve) => {
    respond = resolve
  })
  await page.route('**/api/console/pairs/1', async (route) => {
    await held
    await route.fulfill({ status: 409, json: { code: '5050', message: 'It has changed.', data: null } })
  })
  await page.getByRole('button', { name: /^Turn off/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('A check')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  respond()
  await expect(dialog.getByText('It has changed.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('a plan that takes effect meanwhile is not cancelled as one that has not', async ({ page }) => {
  await open(page, '/console/maintenance')
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  let state = { closed: false, closings: [{ from: later(1), until: later(2) }], version: 'planned' }
  await page.route('**/api/console/maintenance', (route) => fulfillWith(route, state))
  await page.route('**/api/console/maintenance/end', (route) => {
    state = { ...state, closed: true, version: 'begun' }
    return route.fulfill({ status: 409, json: { code: '5050', message: 'It has changed.', data: null } })
  })
  await open(page, '/console/maintenance')
  await page.getByRole('button', { name: 'Cancel the plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel the plan' })
  await dialog.getByLabel('Reason').fill('Not needed')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('The maintenance has begun.')).toBeVisible()
  await expect(dialog.getByRole('textbox')).toHaveCount(0)
})
