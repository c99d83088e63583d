import { expect, test } from '@playwright/test'
import { open } from './consolePage.ts'
import { expectToBeAccessible } from './expectToBeAccessible.ts'
import { expectNoSidewaysScroll } from './expectToFit.ts'
import { fulfillWith } from './overrides.ts'

test.use({ viewport: { width: 1280, height: 800 } })
// Decisions change the mock's data, which these tests share.
test.describe.configure({ mode: 'default' })

/** Each page of the console, with a text that is visible once it has loaded. */
const PAGES: readonly [path: string, shows: RegExp][] = [
  ['/console/setup#a-link', /Add this account to an authenticator app/],
  ['/console/dashboard', /Escrow on-chain against the ledger/],
  ['/console/users', /Whom are you looking for/],
  ['/console/users?query=m', /MinhTrader/],
  ['/console/users?query=no-such-user', /No user found/],
  ['/console/users/0198c2a4-0000-7000-8000-000000000003', /Three buyers reported/],
  ['/console/nicknames', /OfficialDesk/],
  ['/console/certifications', /OfficialDesk/],
  ['/console/ads', /Which ad do you want to see/],
  ['/console/ads?query=minh', /we settle outside/],
  ['/console/ads?query=nobody', /No ad found/],
  ['/console/payouts', /Stopped coins/],
  ['/console/pairs', /MEC\/KRW/],
  ['/console/pairs/1', /Review changes/],
  ['/console/pairs/99', /There is no such pair/],
  ['/console/maintenance', /No maintenance is planned/],
  ['/console/officers', /olga@mec2c\.example/],
  ['/console/audit', /fee_rate: 0\.002 → 0\.001/],
  ['/console/nowhere', /Page not found/],
]

for (const theme of ['dark', 'light'] as const) {
  test(`every page is accessible and fits in ${theme} colors`, async ({ page }) => {
    test.setTimeout(600_000)
    for (const [path, shows] of PAGES) {
      await page.goto('about:blank')
      await open(page, path, 'en', theme)
      await expect(page.getByText(shows).first(), path).toBeVisible()
      await expectToBeAccessible(page, path)
      await expectNoSidewaysScroll(page, path)
    }
  })
}

test('every page speaks Chinese', async ({ page }) => {
  test.setTimeout(600_000)
  for (const [path] of PAGES) {
    await page.goto('about:blank')
    await open(page, path, 'zh_CN')
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
    await expect(page.locator('main'), path).toContainText(/\p{Script=Han}/u)
  }
})

test('without a session there is only the sign-in, which sends password and code in one form', async ({
  page,
}) => {
  let signedIn = false
  await page.route('**/api/console/me', (route) =>
    signedIn
      ? route.fallback()
      : route.fulfill({ status: 401, json: { code: '401', message: 'Log in again.', data: null } }),
  )
  await page.route('**/api/user/secretKey', async (route) => {
    const { publicKey } = await crypto.subtle.generateKey(
      { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['encrypt', 'decrypt'],
    )
    const key = Buffer.from(await crypto.subtle.exportKey('spki', publicKey)).toString('base64')
    await fulfillWith(route, {
      keyId: crypto.randomUUID(),
      publicKey: key,
      nonce: 'n',
      expiresAt: '2030-01-01T00:00:00Z',
    })
  })
  await open(page, '/console/payouts')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expectToBeAccessible(page, 'sign-in')
  await page.getByLabel('Email').fill('ada@mec2c.example')
  await page.getByLabel('Password', { exact: true }).fill('Officer-Horse7')
  await page.getByLabel('Code from your authenticator app').fill('12345')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter the six digits.')).toBeVisible()
  await page.getByLabel('Code from your authenticator app').fill('000 000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Wrong email, password or code.')).toBeVisible()
  await expect(page.getByLabel('Code from your authenticator app')).toHaveValue('')

  signedIn = true
  const sent = page.waitForRequest('**/api/console/sign-in')
  await page.getByLabel('Code from your authenticator app').fill('123 456')
  await page.keyboard.press('Enter')
  const request = await sent
  expect(request.postDataJSON()).toMatchObject({ email: 'ada@mec2c.example', code: '123456' })
  expect(request.postData()).not.toContain('Officer-Horse7')
  expect(request.headers()).not.toHaveProperty('authorization')
  await expect(page.getByRole('heading', { name: 'Payouts', exact: true })).toBeVisible()
})

test('the session of a user is neither read nor sent', async ({ page, context }) => {
  await context.addCookies([{ name: 'MEC2C-token', value: 'mock-token', url: 'http://127.0.0.1' }])
  const tokens: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) tokens.push(request.headers()['authorization'])
  })
  await open(page, '/console/users?query=m')
  await expect(page.getByText('MinhTrader')).toBeVisible()
  expect(tokens.length).toBeGreaterThan(1)
  expect(tokens.every((token) => token === undefined)).toBe(true)
})

test('an ended session shows the sign-in and forgets what was read', async ({ page }) => {
  await open(page, '/console/users?query=m')
  await expect(page.getByText('MinhTrader')).toBeVisible()
  await page.route('**/api/console/**', (route) =>
    route.fulfill({ status: 401, json: { code: '401', message: 'Log in again.', data: null } }),
  )
  await page.getByRole('link', { name: 'Payouts' }).click()
  await expect(page.getByRole('heading', { name: 'Officer sign-in' })).toBeVisible()
  await expect(page.getByText('MinhTrader')).toHaveCount(0)
})

test('a role without calls sees neither sections nor their pages', async ({ page }) => {
  await page.route('**/api/console/me', (route) =>
    fulfillWith(route, {
      id: 'officer-2',
      name: 'Olga',
      role: 'APPEAL_OFFICER',
      expiresAt: '2030-01-01T00:00:00Z',
      calls: ['get /console/me'],
      serverTime: new Date().toISOString(),
    }),
  )
  await open(page, '/console/users')
  await expect(page.getByText('Nothing here yet for your role')).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link')).toHaveCount(0)
})

test('everything works with the keyboard', async ({ page }) => {
  await open(page, '/console/payouts')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // On a busy machine, the second key can come too late.
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await expect(page).toHaveURL(/\/console\/users$/, { timeout: 2_000 })
  }).toPass()
  await page.getByLabel('Find a user').fill('')
  await page.getByRole('heading', { name: 'Users' }).click()
  await page.keyboard.press('/')
  await expect(page.getByLabel('Find a user')).toBeFocused()
  // While typing, letters are text.
  await page.keyboard.type('g')
  await expect(page).toHaveURL(/\/console\/users$/)
  await page.getByLabel('Find a user').fill('s')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table')).toBeVisible()
  await page.getByRole('heading', { name: 'Users' }).click()
  await page.keyboard.press('j')
  await expect(page.getByRole('row', { name: /Sofia88/ })).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Sofia88' })).toBeVisible()
})

test('a new language and new colors apply at once, everywhere', async ({ page }) => {
  await open(page, '/console/pairs')
  await page.getByRole('button', { name: 'Change the language' }).click()
  await expect(page.getByRole('navigation').getByRole('link', { name: '用户' })).toBeVisible()
  await expect(page.getByRole('heading', { name: '交易对' })).toBeVisible()
  await expect(page).toHaveTitle('交易对 – MEC2C')
  await page.getByRole('button', { name: '使用浅色' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
})

test('a decision says what it will do, needs a reason, and is sent with Ctrl+Enter', async ({ page }) => {
  await open(page, '/console/users/0198c2a4-0000-7000-8000-000000000001')
  await page.getByRole('button', { name: 'Restrictions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restrictions' })
  await expect(dialog.getByText('Nothing changes yet.')).toBeVisible()
  await dialog.getByLabel('Login blocked').check()
  await expect(dialog.getByText(/logged out everywhere/)).toBeVisible()
  await expectToBeAccessible(page, 'a decision')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Give a reason. It’s recorded permanently.')).toBeVisible()
  const sent = page.waitForRequest('**/flags')
  await dialog.getByLabel('Reason').fill('A stolen account.')
  await page.keyboard.press('Control+Enter')
  const request = await sent
  expect(request.headers()['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  expect(request.postDataJSON()).toMatchObject({ flags: ['LOGIN'], reason: 'A stolen account.' })
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Login blocked')).toBeVisible()
  await expect(page.getByText('A stolen account.')).toBeVisible()
})

test('a refused decision stays open and says why', async ({ page }) => {
  await open(page, '/console/payouts')
  await page.getByRole('button', { name: 'Resume…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resume payouts of MEC' })
  await expect(dialog.getByText(/holds 41000000000000000000 instead of/)).toBeVisible()
  await dialog.getByLabel('Reason').fill('The vault is whole again.')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText(/ledger and chain disagree/)).toBeVisible()
  await expect(dialog.getByLabel('Reason')).toHaveValue('The vault is whole again.')
})

test('a failing payout is voided, and a pair only with the administrator key', async ({ page }) => {
  await open(page, '/console/payouts')
  const row = page.getByRole('row', { name: /^1204/ })
  await row.getByRole('button', { name: 'Void…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Void payout 1204' })
  await expect(dialog.getByText(/tries to pay 250 USDT once more/)).toBeVisible()
  await expect(dialog.getByText(/A coin returns to the user’s temporary balance/)).toBeVisible()
  await dialog.getByLabel('Reason').fill('The recipient’s contract is broken for good.')
  await page.keyboard.press('Control+Enter')
  await expect(row.getByText('Voided if refused again')).toBeVisible()
  await expect(row.getByRole('button')).toHaveCount(0)

  await page.getByRole('row', { name: /^1210/ }).getByRole('button', { name: 'Void…' }).click()
  const pair = page.getByRole('dialog', { name: 'Void with the administrator key' })
  await expect(pair.getByRole('heading', { level: 3 })).toHaveText(['Reference 1210', 'Reference 1211'])
  await expect(pair.getByRole('button', { name: 'Copy Data' })).toHaveCount(2)
})

test('a payout that changed meanwhile must be reviewed before it is voided', async ({ page }) => {
  await open(page, '/console/payouts')
  const loaded = await page.evaluate(async () => (await fetch('/api/console/payouts')).json())
  const leg = { ...loaded.data.failing[0], reference: '1300', voidedIfRefused: false, version: '0' }
  let failing: (typeof leg)[] = [leg]
  await page.route('**/api/console/payouts', (route) =>
    fulfillWith(route, { stops: [], vaults: [], uncredited: [], failing }),
  )
  await page.route('**/legs/1300/void', (route) => {
    const stale = route.request().postDataJSON().version !== '1'
    failing = stale ? [{ ...leg, version: '1' }] : []
    return route.fulfill({ status: 409, json: { code: '5050', message: 'It has changed.', data: null } })
  })
  await open(page, '/console/payouts')
  await page.getByRole('button', { name: 'Void…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Void payout 1300' })
  await dialog.getByLabel('Reason').fill('It can never succeed.')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('It has changed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'I’ve reviewed the changes' }).click()
  await page.keyboard.press('Control+Enter')
  // The worker has paid it meanwhile.
  await expect(dialog.getByText(/^There’s nothing left to void/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('All payouts are running')).toBeVisible()
})

test('a nickname is approved or rejected only by a choice', async ({ page }) => {
  await open(page, '/console/nicknames')
  await page
    .getByRole('row')
    .filter({ hasText: 'OfficialDesk' })
    .getByRole('button', { name: 'Review' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Review “OfficialDesk”' })
  await expect(dialog.getByRole('group', { name: 'Review result' })).toBeFocused()
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0)
  await dialog.getByLabel('Reason').fill('It looks like ours.')
  let sends = 0
  page.on('request', (request) => (sends += request.method() === 'POST' ? 1 : 0))
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Approve or reject the nickname.')).toBeVisible()
  expect(sends).toBe(0)
  await dialog.getByLabel('Reject').check()
  await expect(dialog.getByText(/A neutral name replaces the nickname at once/)).toBeVisible()
  await expectToBeAccessible(page, 'the review of a nickname')
  const sent = page.waitForRequest('**/nickname')
  await page.keyboard.press('Control+Enter')
  expect((await sent).postDataJSON()).toMatchObject({ verdict: 'REJECT', reason: 'It looks like ours.' })
  await expect(dialog).toHaveCount(0)
  expect(sends).toBe(1)
  await expect(page.getByText('OfficialDesk')).toHaveCount(0)
  await expect(page.getByText('Thistle')).toBeVisible()
})

test('a nickname and an officer that changed meanwhile are reviewed as they are now', async ({ page }) => {
  await open(page, '/console/nicknames')
  const read = (path: string) => page.evaluate(async (url) => (await fetch(url)).json(), path)
  const { data: users } = await read('/api/console/users?query=m')
  const { data: officers } = await read('/api/console/officers')
  const since = '2026-01-01T00:00:00Z'
  const pending = {
    user: { ...users[0], nickname: 'Captain', nicknamePendingSince: since, version: '1' },
    since,
  }
  let nicknames = [pending]
  const refuse = { status: 409, json: { code: '5050', message: 'It has changed.', data: null } }
  await page.route('**/api/console/nicknames*', (route) => fulfillWith(route, nicknames))
  await page.route('**/api/console/users/*/nickname', (route) => {
    nicknames = []
    return route.fulfill(refuse)
  })
  await open(page, '/console/nicknames')
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Approve').check()
  await dialog.getByLabel('Reason').fill('A fine name.')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('This nickname is no longer under review.')).toBeVisible()

  let version = 'old'
  await page.route('**/api/console/officers', (route) =>
    fulfillWith(
      route,
      officers.map((one: object) => Object.assign(one, { version })),
    ),
  )
  const sent: unknown[] = []
  await page.route('**/api/console/officers/*', (route) => {
    sent.push(route.request().postDataJSON().version)
    version = 'new'
    return route.fulfill(refuse)
  })
  await open(page, '/console/officers')
  await page.getByRole('button', { name: 'Disable' }).first().click()
  await dialog.getByLabel('Reason').fill('Left the company.')
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('button', { name: 'I’ve reviewed the changes' }).click()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => sent).toEqual(['old', 'new'])
})

test('restrictions that another officer sets meanwhile stay', async ({ page }) => {
  await open(page, '/console/users')
  const read = (path: string) => page.evaluate(async (url) => (await fetch(url)).json(), path)
  const { data: users } = await read('/api/console/users?query=m')
  const { data: details } = await read(`/api/console/users/${users[0].id}`)
  let user = { ...details.user, flags: ['LOGIN'], version: 'old' }
  await page.route(`**/api/console/users/${user.id}`, (route) => fulfillWith(route, { ...details, user }))
  const sent: unknown[] = []
  await page.route(`**/api/console/users/${user.id}/flags`, (route) => {
    const { flags, version } = route.request().postDataJSON()
    sent.push(flags)
    user = version === 'old' ? { ...user, flags: ['LOGIN', 'BUY'], version: 'new' } : { ...user, flags }
    return version === 'old'
      ? route.fulfill({ status: 409, json: { code: '5050', message: 'It has changed.', data: null } })
      : fulfillWith(route, { ...details, user })
  })
  await open(page, `/console/users/${user.id}`)
  await page.getByRole('button', { name: 'Restrictions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restrictions' })
  await dialog.getByRole('checkbox', { name: 'Withdrawals' }).check()
  await dialog.getByLabel('Reason').fill('Reported twice.')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('This has changed since you opened it.')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(3)
  await dialog.getByRole('button', { name: 'I’ve reviewed the changes' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  expect(sent).toEqual([
    ['LOGIN', 'WITHDRAWAL'],
    ['LOGIN', 'WITHDRAWAL', 'BUY'],
  ])
})

test('another administrator approves a new officer, who gets the link by mail', async ({ page }) => {
  await open(page, '/console/officers')
  await page.getByRole('button', { name: 'New officer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Bea')
  await dialog.getByLabel('Email').fill('bea@mec2c.example')
  await dialog.getByLabel('Role').selectOption('APPEAL_OFFICER')
  await dialog.getByLabel('Reason').fill('Joins the team')
  await page.keyboard.press('Control+Enter')
  const bea = page.getByRole('row', { name: /Bea/ })
  await expect(bea).toContainText('Awaits approvalby another administrator')
  await expect(bea.getByRole('button', { name: 'Approve' })).toHaveCount(0)

  const dora = page.getByRole('row', { name: /Dora/ })
  await dora.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog).toContainText('Alan has created or reset Dora')
  await expect(dialog).toContainText('dora@mec2c.example')
  await dialog.getByLabel('Reason').fill('I met her')
  await dialog.getByRole('button', { name: 'Approve and send link' }).click()
  await expect(dora).toContainText('Invited')
  await dora.getByRole('button', { name: 'Send link' }).click()
  await dialog.getByLabel('Reason').fill('Her mailbox was full')
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(dialog).toHaveCount(0)
  await dora.getByRole('button', { name: 'Reset' }).click()
  await dialog.getByLabel('Reason').fill('A lost phone')
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await expect(dora).toContainText('Awaits approval')
})

test('maintenance is planned and cancelled', async ({ page }) => {
  await open(page, '/console/maintenance')
  await page.getByRole('button', { name: 'Plan maintenance' }).click()
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' })
  await expect(dialog.getByText(/every call of a user is refused/)).toBeVisible()
  await dialog.getByLabel('Until').fill('2020-01-01T00:00')
  await expect(dialog.getByText(/must be after the beginning/)).toBeVisible()
  await dialog.getByLabel('Until').fill('2099-01-01T00:00')
  await dialog.getByLabel('Reason').fill('A new disk')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Planned', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel the plan' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Not needed')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('No maintenance is planned')).toBeVisible()
})

test('the audit log is filtered, and the filters are in the address', async ({ page }) => {
  await open(page, '/console/audit')
  await page.getByLabel('Show').selectOption('decisions')
  await expect(page).toHaveURL(/show=decisions/)
  await expect(page.getByRole('cell', { name: 'Signed in' })).toHaveCount(0)
  await page.getByLabel('Action').selectOption('set_flags')
  await expect(page.getByText('Three buyers reported the same account. Waiting for papers.')).toBeVisible()
  await page.getByLabel('Subject').selectOption('order')
  await expect(page.getByText('Nothing was recorded for these filters.')).toBeVisible()
})

test('a failure and a lost connection are shown', async ({ page, context }) => {
  await page.route('**/api/console/payouts', (route) =>
    route.fulfill({ status: 403, json: { code: '403', message: 'Not allowed.', data: null } }),
  )
  await open(page, '/console/payouts')
  await expect(page.getByText('Not allowed.')).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('You’re offline. This page may be out of date.')).toBeVisible()
})

test('several nicknames are reviewed at once', async ({ page }) => {
  const listed = {
    user: {
      email: null,
      region: 'VN',
      reputation: 80,
      online: true,
      certified: false,
      verified: false,
      flags: [],
      holdUntil: null,
      nicknamePendingSince: new Date().toISOString(),
      nicknameRefusal: null,
      createdAt: null,
      version: '1',
    },
  }
  await page.route('**/api/console/nicknames', async (route) => {
    if (route.request().method() !== 'POST') {
      const user = (id: string, nickname: string) => ({
        ...listed.user,
        id,
        nickname,
        publicNickname: nickname,
      })
      const since = new Date().toISOString()
      return fulfillWith(route, [
        { user: user('user-1', 'OfficialDesk'), since },
        { user: user('user-2', 'AdminMEC'), since },
        { user: user('user-3', 'Thistle'), since },
      ])
    }
    const results = [
      { id: 'user-3', result: 'REVIEWED' },
      { id: 'user-1', result: 'TAKEN' },
      { id: 'user-2', result: 'CHANGED' },
    ]
    return fulfillWith(route, { results })
  })
  await open(page, '/console/nicknames')
  const reject = page.getByRole('button', { name: 'Reject chosen…' })
  await expect(reject).toBeDisabled()
  await page.getByLabel('Choose all of this list').check()
  await expect(page.getByText(/\d nicknames chosen/)).toBeVisible()
  await page.getByLabel('Choose OfficialDesk').uncheck()
  await expect(page.getByLabel('Choose all of this list')).not.toBeChecked()
  await page.getByLabel('Choose OfficialDesk').check()
  await reject.click()
  const dialog = page.getByRole('dialog', { name: /Reject \d nicknames/ })
  await expect(dialog.getByRole('list', { name: 'Nicknames' })).toContainText('OfficialDesk')
  await expectToBeAccessible(page, 'several nicknames')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Give a reason. It’s recorded permanently.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('They look like ours.')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.keyboard.press('Control+Enter')
  const { verdict, nicknames, reason } = (await sent).postDataJSON()
  expect([verdict, nicknames.length > 1, reason]).toEqual(['REJECT', true, 'They look like ours.'])
  await expect(page.getByText('2 nicknames are not reviewed.')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  // The report says what became of each, and why.
  const report = page.getByRole('dialog', { name: 'Result of the review' })
  const about = (name: string) => report.getByRole('listitem').filter({ hasText: name })
  await expect(about('Thistle')).toHaveText('ThistleRejected')
  await expect(about('OfficialDesk')).toContainText('Not approved: another user has it')
  await expect(about('AdminMEC')).toContainText('Not reviewed: the user has changed meanwhile')
  await expectToBeAccessible(page, 'the result of a review')
  await report.getByRole('button', { name: 'Close' }).last().click()
  await expect(report).toHaveCount(0)
  await expect(page.getByLabel('Choose Thistle')).not.toBeChecked()
})

test('if all chosen nicknames are reviewed, there is no report', async ({ page }) => {
  await page.route('**/api/console/nicknames', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const { nicknames } = route.request().postDataJSON()
    const results = nicknames.map(({ id }: { id: string }) => ({ id, result: 'REVIEWED' }))
    return fulfillWith(route, { results })
  })
  await open(page, '/console/nicknames')
  await page.getByLabel('Choose all of this list').check()
  await page.getByRole('button', { name: 'Approve chosen…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Fine names.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Done. It’s in the audit log.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a bad ad is taken down with a reason', async ({ page }) => {
  await open(page, '/console/ads?query=sofia')
  await expect(page.getByText('Taken down: The remark asks')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take down…' })).toHaveCount(0)
  await page.getByLabel('Find an ad').fill('minhtrader')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row').filter({ hasText: 'we settle outside' })
  await row.getByRole('button', { name: 'Take down…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take the ad of MinhTrader down' })
  await expect(dialog.getByText('Its 2 open orders continue.')).toBeVisible()
  await expect(dialog.getByText(/\d MEC can still be ordered\./)).toBeVisible()
  await expectToBeAccessible(page, 'taking an ad down')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Give a reason. It’s recorded permanently.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Asks users to trade outside MEC2C.')
  const sent = page.waitForRequest('**/takedown')
  await page.keyboard.press('Control+Enter')
  expect((await sent).postDataJSON()).toEqual({ version: '4', reason: 'Asks users to trade outside MEC2C.' })
  await expect(dialog).toHaveCount(0)
  await expect(row).toContainText('Taken down: Asks users to trade outside MEC2C.')
})

test('an ad with nothing left to order offers nothing any more', async ({ page }) => {
  await page.route('**/api/console/adverts?*', async (route) => {
    const { data } = await (await route.fetch()).json()
    for (const ad of data) Object.assign(ad, { remaining: '0', removable: true })
    await fulfillWith(route, data)
  })
  await open(page, '/console/ads?query=minhtrader')
  await page.getByRole('button', { name: 'Take down…' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Take the ad of MinhTrader down' })
  await expect(dialog.getByText(/stays in custody for them while they can’t withdraw\.$/)).toBeVisible()
})

test('an administrator decides applications for certification', async ({ page }) => {
  await open(page, '/console/certifications')
  await expect(page.getByRole('link', { name: /^Certifications/ })).toBeVisible()
  const table = page.getByRole('table', { name: 'Applications for certification' })
  const unfit = table.getByRole('row').filter({ hasText: 'Credit score' })
  await unfit.getByRole('button', { name: 'Decide' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('radio', { name: 'Approve' })).not.toBeChecked()
  await expect(dialog.getByRole('radio', { name: 'Reject' })).not.toBeChecked()
  await dialog.getByRole('radio', { name: 'Approve' }).check()
  await dialog.getByLabel('Reason').fill('A long history.')
  await dialog.getByRole('button', { name: /^Certify/ }).click()
  await expect(dialog.getByText('A requirement is not met.')).toBeVisible()
  await dialog.getByRole('radio', { name: 'Reject' }).check()
  await dialog.getByRole('button', { name: 'Reject the application' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(unfit).toHaveCount(0)

  await table.getByRole('button', { name: 'Decide' }).click()
  await dialog.getByRole('radio', { name: 'Approve' }).check()
  await expect(dialog.getByText(/can post ads against fiat at once/)).toBeVisible()
  await dialog.getByLabel('Reason').fill('A long history.')
  await dialog.getByRole('button', { name: /^Certify/ }).click()
  await expect(page.getByText('No application waits')).toBeVisible()
})
