import { expect, type Page, test } from '@playwright/test'
import { user } from '../mock/users.ts'
import { fulfillWith, overrideUser, signIn } from './overrides.ts'

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))

test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const STRONG = 'Fresh-Horse8'

/** Collects the bodies of the requests to a path. */
function sentTo(page: Page, path: string): unknown[] {
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) sent.push(request.postDataJSON())
  })
  return sent
}

async function fill(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(text)
}

async function choosePassword(page: Page): Promise<void> {
  await fill(page, 'New password', STRONG)
  await fill(page, 'Confirm password', STRONG)
}

test('a forgotten password is reset with a code by email', async ({ page }) => {
  const codes = sentTo(page, '/api/email/send')
  const resets = sentTo(page, '/api/user/resetPassword')
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Enter a valid email address.')).toBeVisible()
  await fill(page, 'Email of your account', 'maria@example.com')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('slider').focus()
  await page.keyboard.press('PageUp')
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page).toHaveURL('/resetPassword')
  expect(codes).toMatchObject([{ email: 'maria@example.com', purpose: 'reset', slideToken: 'slid' }])

  // The mail app unloads the page.
  await page.reload()
  await expect(page.getByText('maria@example.com')).toBeVisible()
  await fill(page, 'Email verification code', '000000')
  await fill(page, 'New password', 'weak')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByText('Your password doesn’t meet all requirements yet.')).toBeVisible()
  await expect(page.getByText('The passwords don’t match.')).toBeVisible()
  await choosePassword(page)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByLabel('Email verification code')).toHaveAttribute('aria-invalid', 'true')
  await fill(page, 'Email verification code', '123456')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByText('Password reset', { exact: true })).toBeVisible()
  expect(resets).toMatchObject([
    { emailCode: '000000', emailCodeId: 'code-1' },
    { email: 'maria@example.com', emailCode: '123456', emailCodeId: 'code-1' },
  ])
  await page.getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/login')
  // Nothing of it is kept.
  await page.goto('/resetPassword')
  await expect(page.getByText('Tell us your email address first')).toBeVisible()
})

test('when no code can be sent, the page points to the pass', async ({ page }) => {
  await page.route('**/api/email/send', (route) =>
    route.fulfill({
      status: 429,
      json: { code: '429', message: 'Too many attempts.', data: { retryAfter: 40_000 } },
    }),
  )
  await page.goto('/forgot')
  await fill(page, 'Email of your account', 'maria@example.com')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('slider').focus()
  await page.keyboard.press('PageUp')
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Use your pass' })).toBeVisible()
  await page.getByRole('button', { name: 'Use your pass' }).click()
  await expect(page).toHaveURL('/resetPassword?by=pass')
  await expect(page.getByRole('img', { name: 'QR code for the pass app' })).toBeVisible()
})

test('a forgotten password is reset with the pass, and the approval survives a reload', async ({ page }) => {
  const resets = sentTo(page, '/api/user/unBindResetPassword')
  await page.goto('/forgotPassword')
  await fill(page, 'Email of your account', 'maria@example.com')
  const asked = page.waitForRequest((request) => request.url().includes('/api/scan/resetByEmail'))
  await page.getByRole('button', { name: 'Use your pass' }).click()
  const query = new URL((await asked).url()).searchParams
  expect(query.get('email')).toBe('maria@example.com')
  expect(query.get('returnTo')).toBe('/resetPassword?by=pass')
  await expect(page.getByLabel('Number to select in the pass app')).toBeVisible()
  await page.route('**/api/scan/result/*', (route) =>
    route.fulfill({
      json: { code: '200', message: '', data: { session: null, ticket: 'proven', meId: 'ME-1' } },
    }),
  )
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await choosePassword(page)

  // The approval of somebody else's pass leads back to the request.
  await page.route('**/api/user/unBindResetPassword', (route) =>
    route.fulfill({ status: 422, json: { code: '1012', message: 'Not your pass.', data: null } }),
  )
  await page.unroute('**/api/scan/result/*')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByLabel('Number to select in the pass app')).toBeVisible()
  await page.unroute('**/api/user/unBindResetPassword')
  await page.route('**/api/scan/result/*', (route) =>
    route.fulfill({
      json: { code: '200', message: '', data: { session: null, ticket: 'own', meId: 'ME-2' } },
    }),
  )
  await choosePassword(page)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByText('Password reset', { exact: true })).toBeVisible()
  expect(resets).toMatchObject([{ ticket: 'proven' }, { ticket: 'own' }])
})

test('a browser that the pass returns in another tab says how it ended, and starts again', async ({
  page,
}) => {
  await page.goto('/resetPassword?by=pass&pass=declined&challenge=c-0')
  await expect(page.getByText('You declined the request')).toBeVisible()
  await expect(page).toHaveURL('/resetPassword?by=pass')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL('/forgot')
})

test('an approval that arrives in another tab sets the new password there', async ({ page }) => {
  const challenge = {
    id: 'secret-90',
    challengeId: 'challenge-90',
    qrCodeUrl: 'mepass://challenge/90',
    authorizeUrl: '/',
    number: 42,
    requester: { browser: 'Chrome', system: 'Linux', region: 'KR' },
    expiresAt: '2099-01-01T00:00:00Z',
  }
  // The tab that asked has stored the challenge; this one knows no address.
  await page.goto('/login')
  await page.evaluate((made) => localStorage.setItem('pass_challenges', JSON.stringify([made])), challenge)
  await page.route('**/api/scan/result/secret-90*', (route) =>
    route.fulfill({
      json: { code: '200', message: '', data: { session: null, ticket: 'proven', meId: 'ME-1' } },
    }),
  )
  await page.goto('/resetPassword?by=pass&pass=approved&challenge=challenge-90&code=once')
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await choosePassword(page)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByText('Password reset', { exact: true })).toBeVisible()
})

test('the login password is changed with the current one', async ({ page }) => {
  const sent = sentTo(page, '/api/user/updateInfo')
  await signIn(page.context())
  await page.goto('/personalCenter')
  await page.getByRole('link', { name: /^Login password/ }).click()
  await fill(page, 'Current password', 'Secret 123!')
  await choosePassword(page)
  await page.route('**/api/user/updateInfo', (route) =>
    route.fulfill({ status: 422, json: { code: '1004', message: 'Wrong.', data: null } }),
  )
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Incorrect login password.')).toBeVisible()
  await page.unroute('**/api/user/updateInfo')
  await fill(page, 'Current password', 'Secret 123!')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed')).toBeVisible()
  await expect(page).toHaveURL('/personalCenter')
  expect(sent).toHaveLength(2)
})

test('the email address is changed with a code to the new one and the security password', async ({
  page,
}) => {
  const codes = sentTo(page, '/api/email/send')
  const sent = sentTo(page, '/api/user/updateInfo')
  await signIn(page.context())
  await page.goto('/updateEmail')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Enter a valid email address.')).toBeVisible()
  expect(codes).toEqual([])
  await fill(page, 'New email', 'maria@example.org')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Verification code sent. Check your email.')).toBeVisible()
  expect(codes).toMatchObject([{ email: 'maria@example.org', purpose: 'security' }])
  await fill(page, 'Email verification code', '123456')
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText('Enter your security password.')).toBeVisible()
  await fill(page, 'Security password', 'only coins know 7')
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText('Email changed')).toBeVisible()
  expect(sent).toMatchObject([{ email: 'maria@example.org', emailCode: '123456' }])
})

test('a reload on the way keeps the new address and the approval, and neither passwords nor codes', async ({
  page,
}) => {
  const sent = sentTo(page, '/api/user/updateInfo')
  await signIn(page.context())
  await overrideUser(page, () => ({ holdUntil: '2099-01-01T00:00:00Z', hasSecurityPassword: false }))
  await page.goto('/updateEmail')
  await fill(page, 'New email', 'maria@example.org')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Verification code sent. Check your email.')).toBeVisible()
  await page.route('**/api/scan/result/*', (route) =>
    route.fulfill({
      json: { code: '200', message: '', data: { session: null, ticket: 'proven', meId: 'ME-1' } },
    }),
  )
  await page.getByRole('button', { name: 'Approve with the pass' }).click()
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await fill(page, 'Email verification code', '654321')
  await fill(page, 'Login password', 'Secret 123!')

  // The mail app unloads the page.
  await page.reload()
  await expect(page.getByLabel('New email', { exact: true })).toHaveValue('maria@example.org')
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^\d+:\d\d$/ })).toBeDisabled()
  await expect(page.getByLabel('Email verification code')).toHaveValue('')
  await expect(page.getByLabel('Login password', { exact: true })).toHaveValue('')
  const stored = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))
  expect(stored).toContain('maria@example.org')
  expect(stored).not.toContain('654321')
  expect(stored).not.toContain('Secret 123!')

  // Another user of the same tab sees nothing of it.
  const url = 'http://127.0.0.1'
  await page.context().addCookies([{ name: 'userId', value: 'u-other', url }])
  await page.reload()
  await expect(page.getByLabel('New email', { exact: true })).toHaveValue('')
  await signIn(page.context())
  await page.reload()
  await fill(page, 'Email verification code', '123456')
  await fill(page, 'Login password', 'Secret 123!')
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText('Email changed')).toBeVisible()
  expect(sent).toMatchObject([{ email: 'maria@example.org', emailCode: '123456', passTicket: 'proven' }])

  // Nothing of it is kept.
  await page.goto('/updateEmail')
  await expect(page.getByLabel('New email', { exact: true })).toHaveValue('')
})

test('logging out removes the new address that was entered', async ({ page }) => {
  await signIn(page.context())
  await page.goto('/updateEmail')
  await fill(page, 'New email', 'maria@example.org')
  await page.goto('/order')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/login?out=1')
  const stored = await page.evaluate(() => JSON.stringify(sessionStorage))
  expect(stored).not.toContain('maria@example.org')
})

test('a reload keeps how the security password is proved, and what is known of the proof', async ({
  page,
}) => {
  const sent = sentTo(page, '/api/user/updateInfo')
  await signIn(page.context())
  await page.goto('/updateSecurityPassword')
  await page.getByRole('button', { name: 'Use a code by email' }).click()
  await expect(page).toHaveURL('/updateSecurityPassword?by=code')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Verification code sent. Check your email.')).toBeVisible()
  await fill(page, 'New security password', 'other coins know 8')
  await page.reload()
  await expect(page.getByLabel('Email verification code')).toBeVisible()
  await expect(page.getByRole('button', { name: /^\d+:\d\d$/ })).toBeDisabled()
  await expect(page.getByLabel('New security password')).toHaveValue('')

  await page.getByRole('button', { name: 'Use your pass' }).click()
  await page.route('**/api/scan/result/*', (route) =>
    route.fulfill({
      json: { code: '200', message: '', data: { session: null, ticket: 'proven', meId: 'ME-1' } },
    }),
  )
  await page.getByRole('button', { name: 'Approve with the pass' }).click()
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await fill(page, 'New security password', 'other coins know 8')
  await fill(page, 'Confirm security password', 'other coins know 8')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Security password changed')).toBeVisible()
  expect(sent).toMatchObject([{ passTicket: 'proven', newSecurityCode: {} }])
  expect(sent[0]).not.toHaveProperty('securityCode')
})

test('a forgotten security password is reset with a code by email, except during a hold', async ({
  page,
}) => {
  const codes = sentTo(page, '/api/email/send')
  const sent = sentTo(page, '/api/user/updateInfo')
  await signIn(page.context())
  await page.goto('/updateReceivingAddress')
  await page.getByRole('link', { name: 'Forgot it?' }).click()
  await expect(page).toHaveURL('/updateSecurityPassword?next=%2FupdateReceivingAddress&by=code')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Verification code sent. Check your email.')).toBeVisible()
  // To the address of the account, which the server knows.
  expect(codes).toMatchObject([{ email: '', purpose: 'security' }])
  await fill(page, 'New security password', 'other coins know 8')
  await fill(page, 'Confirm security password', 'other coins know 8')
  await fill(page, 'Email verification code', '000000')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Email verification code')).toHaveAttribute('aria-invalid', 'true')
  await fill(page, 'Email verification code', '123456')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Security password changed')).toBeVisible()
  await expect(page).toHaveURL('/updateReceivingAddress')
  expect(sent).toMatchObject([{ emailCode: '000000' }, { emailCode: '123456' }])

  await page.route(`**/api/user/info/${user.id}`, async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    body.data.holdUntil = '2099-01-01T00:00:00Z'
    await route.fulfill({ json: body })
  })
  await page.goto('/updateSecurityPassword')
  await expect(page.getByRole('button', { name: 'Use your pass' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use a code by email' })).toBeHidden()
})

test('during a hold, a first security password needs the login password and the pass', async ({ page }) => {
  const sent = sentTo(page, '/api/user/updateInfo')
  await signIn(page.context())
  await overrideUser(page, () => ({ holdUntil: '2099-01-01T00:00:00Z', hasSecurityPassword: false }))
  await page.route('**/api/user/hasSecurityCode', (route) => fulfillWith(route, { has: false }))
  await page.goto('/updateSecurityPassword')
  await fill(page, 'Login password', 'Secret 123!')
  await fill(page, 'New security password', 'other coins know 8')
  await fill(page, 'Confirm security password', 'other coins know 8')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Approve it with the pass first.')).toBeVisible()
  await page.route('**/api/scan/result/*', (route) =>
    route.fulfill({
      json: { code: '200', message: '', data: { session: null, ticket: 'proven', meId: 'ME-1' } },
    }),
  )
  await page.getByRole('button', { name: 'Approve with the pass' }).click()
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Security password set')).toBeVisible()
  expect(sent).toMatchObject([{ passTicket: 'proven', password: {}, newSecurityCode: {} }])
})

test('after a wrong password, the pass can be used instead, and an approval that has expired is asked for again', async ({
  page,
}) => {
  await signIn(page.context())
  await page.goto('/updateSecurityPassword')
  const refuse = (code: string) =>
    page.route('**/api/user/updateInfo', (route) =>
      route.fulfill({ status: 422, json: { code, message: 'Refused.', data: null } }),
    )
  await refuse('USER3011')
  await fill(page, 'Current security password', 'wrong')
  await fill(page, 'New security password', 'other coins know 8')
  await fill(page, 'Confirm security password', 'other coins know 8')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Incorrect security password.')).toBeVisible()
  await page.getByRole('button', { name: 'Use your pass' }).click()
  await page.route('**/api/scan/result/*', (route) =>
    route.fulfill({
      json: { code: '200', message: '', data: { session: null, ticket: 'proven', meId: 'ME-1' } },
    }),
  )
  await page.getByRole('button', { name: 'Approve with the pass' }).click()
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await page.unroute('**/api/user/updateInfo')
  await refuse('803')
  // Another request follows at once, which this pass answers as well.
  const again = page.waitForRequest('**/api/scan/proof*')
  await page.getByRole('button', { name: 'Save' }).click()
  await again
  await page.unroute('**/api/user/updateInfo')
  await expect(page.getByText('You’ve approved this with the pass.')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Security password changed')).toBeVisible()
})

test('devices are logged out one by one, all others at once, or everywhere', async ({ page }) => {
  await signIn(page.context())
  await page.goto('/personalCenter')
  await page.getByRole('link', { name: 'Logged-in devices' }).click()
  await expect(page.getByText('Chrome on Android')).toBeVisible()
  await page.getByRole('button', { name: /^Log out.*Unknown browser/ }).click()
  await expect(page.getByText('Device logged out')).toBeVisible()
  await expect(page.getByText('Unknown browser')).toHaveCount(0)
  await page.getByRole('button', { name: 'Log out elsewhere' }).click()
  await expect(page.getByText('Firefox on Windows')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Log out elsewhere' })).toBeHidden()
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  const sheet = page.getByRole('dialog', { name: 'Log out everywhere?' })
  await sheet.getByRole('button', { name: 'Log out everywhere' }).click()
  await expect(page).toHaveURL('/login?out=1')
})
