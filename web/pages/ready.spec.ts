import { expect, type Page, type Route, test } from '@playwright/test'
import { fulfillWith, lacking, overrideMissing, overrideUser, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('unmet requirements of an order are shown beforehand, with a link', async ({ page }) => {
  await overrideMissing(page, () => [lacking('NICKNAME')])
  let ordered = false
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/deal/order')) ordered = true
  })
  await page.goto('/buySell?id=a-SELL-MEC-USD-0&amount=48')
  await expect(page.getByText('Before you can order')).toBeVisible()
  await page.getByRole('button', { name: /^Buy/ }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Before you can order' })).toBeInViewport()
  expect(ordered).toBe(false)
  await page.getByRole('link', { name: 'Set a nickname' }).click()
  await expect(page.getByLabel('Public name')).toBeVisible()
})

test('an order form says which requirements of the advertiser are unmet', async ({ page }) => {
  await page.route(/\/api\/c2c\/advert\/a-[^/]+$/, async (route) => {
    const { data } = await (await route.fetch()).json()
    const takerRequirements = { completedOrders: 10, advancedVerification: true, region: 'VN' }
    return fulfillWith(route, { ...data, takerRequirements, unmet: ['COMPLETED_ORDERS', 'REGION'] })
  })
  await page.goto('/buySell?id=a-SELL-MEC-USD-0&amount=48')
  await expect(page.getByRole('list', { name: 'Only for traders with' })).toContainText('Vietnam')
  const notice = page.getByText('You can’t order from this ad.').locator('..')
  await expect(notice.getByRole('listitem')).toHaveText([
    'At least 10 orders completed in the last 30 days',
    'Your region must be Vietnam',
  ])
  await expect(page.getByRole('button', { name: /^Buy/ })).toBeDisabled()
})

test('an unmet requirement of an ad blocks the first step', async ({ page }) => {
  await overrideMissing(page, (query) => (query.get('quote') === 'USD' ? [lacking('CERTIFICATION')] : []))
  await page.goto('/publish')
  await page.getByRole('radio', { name: 'MEC', exact: true }).check()
  await page
    .getByRole('group', { name: 'What do you want to be paid in?' })
    .getByRole('radio', { name: /^USDT/ })
    .check()
  await page.getByRole('radio', { name: /^Manual release/ }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Price per MEC')).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).last().click()
  await page
    .getByRole('group', { name: 'What do you want to be paid in?' })
    .getByRole('radio', { name: /^USD / })
    .check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Only certified traders' })).toBeInViewport()
  await expect(page.getByText('What are you selling')).toBeVisible()
  await expect(page.getByLabel('Price per MEC')).toBeHidden()
})

test('changing the address without a security password leads to setting one, and back', async ({ page }) => {
  let has = false
  await page.route('**/api/user/hasSecurityCode', (route) => fulfillWith(route, { has }))
  await overrideUser(page, () => ({ hasSecurityPassword: has }))
  await page.route('**/api/user/updateInfo', (route) => {
    has = true
    return route.fallback()
  })
  await page.goto('/updateReceivingAddress')
  await expect(page.getByText('Set a security password first')).toBeVisible()
  await expect(page.getByLabel('USDT address')).toBeHidden()
  await page.getByRole('link', { name: 'Set a security password' }).click()
  await page.getByLabel('Login password').fill('Secret 123!')
  await page.getByLabel('New security password').fill('my second secret')
  await page.getByLabel('Confirm security password').fill('my second secret')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/updateReceivingAddress$/)
  await expect(page.getByLabel('USDT address')).toBeVisible()
  await expect(page.getByLabel('Security password')).toBeVisible()
})

test('nickname errors are shown at the field', async ({ page }) => {
  await overrideUser(page, () => ({ nickname: null, nicknameChangeableAt: null }))
  await overrideMissing(page, () => [lacking('NICKNAME')])
  await page.goto('/buySell?id=a-SELL-MEC-USD-0&amount=48')
  await page.getByRole('link', { name: 'Set a nickname' }).click()
  const field = page.getByLabel('Public name')
  for (const [name, fault] of [
    ['', /Enter a nickname/],
    ['Al', /at least 3 characters/],
    ['a_b', /letters and numbers only/],
  ] as const) {
    await field.fill(name)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(field).toHaveAccessibleDescription(fault)
  }
  await page.route('**/api/user/updateInfo', (route) =>
    route.fulfill({
      status: 422,
      json: { code: '1038', message: 'Of one script.', data: { field: 'nickname', reason: 'mixed scripts' } },
    }),
  )
  await field.fill('НanaSeoul')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(field).toHaveAccessibleDescription(/Of one script/)
})

test('a refused automatic reply is told which rule it breaks', async ({ page }) => {
  let reason = 'early release'
  await page.route('**/api/user/updateInfo', (route) =>
    route.fulfill({
      status: 422,
      json: {
        code: '1030',
        message: 'The text contains words that aren’t allowed.',
        data: { field: 'automaticReply', reason },
      },
    }),
  )
  await page.goto('/automaticReply')
  const field = page.getByLabel('Automatic reply')
  await field.fill('Please release first.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(field).toHaveAccessibleDescription(/Don’t ask for anything to be released/)
  reason = 'contact information'
  await field.fill('My phone is 555 1234567.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(field).toHaveAccessibleDescription(/Don’t include phone numbers/)
})

/** Opens a registration that the pass has approved, with the account step filled in. */
async function registering(page: Page): Promise<void> {
  await page.context().clearCookies()
  let results = 0
  await page.route('**/api/scan/result/*', (route) => {
    results += 1
    return fulfillWith(route, {
      registered: false,
      session: null,
      ticket: `ticket ${results}`,
      meId: 'ME-1234',
      boundAddress: '0x91f3B07E6d2A54c8E19B03dF7a6C58e24B0d71Fa',
      regionId: 'eu',
      kycLevel: 'advanced',
    })
  })
  await page.goto('/register')
  await page.getByLabel('Email', { exact: true }).fill('new@example.com')
  await page.getByLabel('Email verification code').fill('123456')
  await page.getByLabel('Password', { exact: true }).fill('Secret 123!')
  await page.getByLabel('Confirm password').fill('Secret 123!')
}

test('a pass result that has expired is asked for again, and the email address is kept', async ({ page }) => {
  await registering(page)
  const sent: string[] = []
  await page.route('**/api/email/send', (route) => {
    const { ticket }: { ticket: string } = route.request().postDataJSON()
    sent.push(ticket)
    return ticket === 'ticket 1'
      ? route.fulfill({ status: 409, json: { code: '803', message: 'It has expired.', data: null } })
      : route.fallback()
  })
  const sendCode = async () => {
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByRole('slider').focus()
    await page.keyboard.press('PageUp')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
  }
  const askedAgain = page.waitForResponse('**/api/scan/result/*')
  await sendCode()
  await askedAgain
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('new@example.com')
  await sendCode()
  await expect(page.getByText('Verification code sent. Check your email.')).toBeVisible()
  expect(sent).toEqual(['ticket 1', 'ticket 2'])
})

test('a registration survives a reload, except for the passwords', async ({ page }) => {
  await registering(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('USDT address').fill('0x2Bd5e80F6C17a94E3b06D8f21A5c4709Ee3b91D6')
  await page.reload()
  // A phone has unloaded the page while its user read the email.
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('new@example.com')
  await expect(page.getByLabel('Email verification code')).toHaveValue('123456')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  const stored = await page.evaluate(() => JSON.stringify(sessionStorage))
  expect(stored).toContain('new@example.com')
  expect(stored).not.toContain('Secret 123!')
  await page.getByLabel('Password', { exact: true }).fill('Secret 123!')
  await page.getByLabel('Confirm password').fill('Secret 123!')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('USDT address')).toHaveValue(/^0x2Bd5/)
})

test('the page about maintenance says when there is none, and when it is over', async ({ page }) => {
  await page.goto('/systemMaintenance')
  await expect(page.getByText('There’s no maintenance at the moment.')).toBeVisible()
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/$/)

  const times = JSON.stringify(['2026-01-01T00:00:00Z', '2026-01-01T02:00:00Z'])
  await page.clock.install()
  await page.route('**/api/market/overview', (route) =>
    route.fulfill({ status: 503, json: { code: '401', message: times, data: null } }),
  )
  await page.goto('/systemMaintenance')
  await expect(page.getByText(/^From .* to .*Deadlines of active orders/)).toBeVisible()
  const entries = await page.evaluate(() => history.length)
  await page.clock.runFor(120_000)
  await expect(page.getByText('System maintenance')).toBeVisible()
  expect(await page.evaluate(() => history.length)).toBe(entries)
  await page.unroute('**/api/market/overview')
  await page.clock.runFor(31_000)
  await expect(page.getByText('MEC2C is open')).toBeVisible()
})

test('reading and accepting the terms keeps the input', async ({ page }) => {
  await registering(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('USDT address').fill('0x2Bd5e80F6C17a94E3b06D8f21A5c4709Ee3b91D6')
  await page.getByRole('button', { name: 'Read the terms' }).click()
  await expect(page.getByText('Where coins can go')).toBeVisible()
  await expect(
    page.getByText(/^Automatic orders need no manual confirmation.*A single transaction pays both parties/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Accept and continue' }).click()
  await expect(page.getByRole('checkbox')).toBeChecked()
  await expect(page.getByLabel('USDT address')).toHaveValue(/^0x2Bd5/)
  await page.getByRole('button', { name: 'Back', exact: true }).last().click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('new@example.com')
})

test('a wrong email code is shown at its field, also after registering, without losing input', async ({
  page,
}) => {
  await registering(page)
  const refuse = (route: Route) =>
    route.fulfill({
      status: 422,
      json: { code: '1013', message: 'The code is wrong.', data: { field: 'emailCode', left: 3 } },
    })
  await page.route('**/api/email/verify', refuse)
  await page.getByRole('button', { name: 'Continue' }).click()
  const code = page.getByLabel('Email verification code')
  await expect(code).toHaveAccessibleDescription(/The code is wrong/)
  await page.unroute('**/api/email/verify', refuse)
  await code.fill('654321')
  await expect(code).not.toHaveAccessibleDescription(/The code is wrong/)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('USDT address').fill('0x2Bd5e80F6C17a94E3b06D8f21A5c4709Ee3b91D6')
  await page.getByLabel('Chain').selectOption('ERC20')
  await page.getByRole('checkbox').check()
  await page.route('**/api/user/register', refuse)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(code).toHaveAccessibleDescription(/The code is wrong/)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('USDT address')).toHaveValue(/^0x2Bd5/)
  await expect(page.getByRole('checkbox')).toBeChecked()
})

test('setting the security password that an ad needs leads back to the ad', async ({ page }) => {
  await signIn(page.context())
  let has = false
  await page.route('**/api/user/hasSecurityCode', (route) => fulfillWith(route, { has }))
  await overrideMissing(page, () => (has ? [] : [lacking('SECURITY_PASSWORD')]))
  await page.route('**/api/user/updateInfo', (route) => {
    has = true
    return route.fallback()
  })
  await page.goto('/publish')
  await page.getByRole('link', { name: 'Set a security password' }).click()
  await page.getByLabel('Login password').fill('Secret 123!')
  await page.getByLabel('New security password').fill('my second secret')
  await page.getByLabel('Confirm security password').fill('my second secret')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/publish$/)
  await expect(page.getByText('What are you selling')).toBeVisible()
})

test('an address checksum error is shown at the field until the address changes', async ({ page }) => {
  await registering(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  const address = page.getByLabel('USDT address')
  await page.getByLabel('Chain').selectOption('ERC20')
  await address.fill('0x2bd5e80F6C17a94E3b06D8f21A5c4709Ee3b91D6')
  await page.getByRole('checkbox').check()
  await page.route('**/api/user/register', (route) =>
    route.fulfill({ status: 422, json: { code: '1015', message: 'Not a valid address.', data: null } }),
  )
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(address).toHaveAccessibleDescription(/contains a typo: its checksum doesn’t match/)
  await expect(page.getByText('Not a valid address.')).toHaveCount(0)
  await address.fill('0x2bd5e80f6c17a94e3b06d8f21a5c4709ee3b91d6')
  await expect(address).not.toHaveAccessibleDescription(/checksum/)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(address).toHaveAccessibleDescription('Not a valid address.')
})
