import { expect, type Page, test } from '@playwright/test'
import { user } from '../mock/users.ts'
import { fulfillWith } from './overrides.ts'

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))

// Pages still poll when a test ends; routes in progress must not fail it.
test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

async function fillIn(page: Page, email: string): Promise<void> {
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill('Secret 123!')
}

/** Collects the bodies of the logins that the page sends. */
function logins(page: Page): unknown[] {
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/user/login') sent.push(request.postDataJSON())
  })
  return sent
}

async function solve(page: Page): Promise<void> {
  await page.getByRole('slider').focus()
  await page.keyboard.press('PageUp')
  await page.getByRole('button', { name: /^(Verify|验证)$/ }).click()
}

test('on a device that the account knows, the login shows no slide check', async ({ page }) => {
  const sent = logins(page)
  await page.route('**/api/user/login', (route) =>
    fulfillWith(route, { token: 'mock-token', userId: user.id, expiresAt: '2099-01-01T00:00:00Z' }),
  )
  const slides: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/slide') slides.push(request.url())
  })
  await page.goto('/login')
  await fillIn(page, 'maria@example.com')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  expect(sent).toMatchObject([{ email: 'maria@example.com', slideToken: null }])
  expect(slides).toEqual([])
})

for (const [language, title] of [
  ['en', 'Security check'],
  ['zh_CN', '安全验证'],
] as const) {
  test(`the slide check opens when the server asks for it, and the form stays filled in (${language})`, async ({
    page,
  }) => {
    const sent = logins(page)
    await page.goto(`/login?lang=${language}`)
    await fillIn(page, 'maria@example.com')
    await page.keyboard.press('Enter')
    const check = page.getByRole('dialog', { name: title })
    await expect(check).toBeVisible()
    expect(sent).toMatchObject([{ slideToken: null }])

    // Whoever closes the check can try again without typing anything.
    await page.keyboard.press('Escape')
    await expect(check).toBeHidden()
    await expect(page.locator('input[name="email"]')).toHaveValue('maria@example.com')
    await expect(page.locator('input[name="password"]')).toHaveValue('Secret 123!')
    await page.locator('input[name="password"]').press('Enter')
    await expect(check).toBeVisible()
    await solve(page)
    await expect(page).toHaveURL('/')
    expect(sent).toMatchObject([
      { slideToken: null },
      { slideToken: null },
      { email: 'maria@example.com', slideToken: 'slid' },
    ])
  })
}

test('after a wrong password, the page asks the server again whether it needs the slide check', async ({
  page,
}) => {
  const sent = logins(page)
  await page.goto('/login')
  await fillIn(page, 'nobody@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Security check' })).toBeVisible()
  await solve(page)
  await expect(page.getByText('Wrong account or password.')).toBeVisible()
  await expect(page.locator('input[name="email"]')).toHaveValue('nobody@example.com')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.locator('input[name="password"]').press('Enter')
  await expect(page.getByRole('dialog', { name: 'Security check' })).toBeVisible()
  expect(sent).toMatchObject([{ slideToken: null }, { slideToken: 'slid' }, { slideToken: null }])
})

test('a lockout says in hours and minutes how long it lasts', async ({ page, context }) => {
  await page.route('**/api/user/login', (route) =>
    route.fulfill({
      status: 429,
      json: {
        code: '429',
        message: 'Too many attempts. Try again in 40000 seconds.',
        data: { retryAfter: 40_000 },
      },
    }),
  )
  for (const [language, login, said] of [
    ['en', 'Log in', 'Too many attempts. Try again in 11 hours 7 minutes.'],
    ['zh_CN', '登录', '尝试次数过多，请在 11 小时 7 分钟后重试。'],
  ] as const) {
    await context.addCookies([{ name: 'me_lang', value: language, url: 'http://127.0.0.1' }])
    await page.goto('/login')
    await fillIn(page, 'maria@example.com')
    await page.getByRole('button', { name: login, exact: true }).click()
    await expect(page.getByText(said)).toBeVisible()
  }
})
