import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))

test('a visitor sees the login page everywhere except on public screens', async ({ page }) => {
  for (const [path, shown] of [
    ['/nowhere', '/login'],
    ['/', '/login'],
    ['/order', '/login?next=%2Forder'],
    ['/forgotPassword', '/forgotPassword'],
    ['/helpDetail?id=1', '/helpDetail?id=1'],
    ['/resetPassword', '/resetPassword'],
  ] as const) {
    await page.goto(path)
    await expect(page, path).toHaveURL(shown)
    await expect(page.getByText('Page not found')).toHaveCount(0)
  }
})

test('the login page shows the live market, and its ads lead to the login with the ad as the next page', async ({
  page,
}) => {
  await page.goto('/login')
  const market = page.getByRole('region', { name: 'Live market' })
  await expect(market.getByText('12,408 completed trades')).toBeVisible()
  await expect(market.getByText(/^Last price 0.4/).first()).toBeVisible()
  const ad = market.getByRole('list', { name: 'Best ads' }).getByRole('link').first()
  await expect(ad).toContainText(/available.*orders in 30 days/)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => one.id)).toEqual([])
  await ad.click()
  await expect(page).toHaveURL(/\/login\?next=%2FbuySell%3Fid%3D/)
})

test('the login page works while the market is unavailable', async ({ page }) => {
  await page.route('**/api/market/overview', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Live market' })).toHaveCount(0)
})

test('search engines get one canonical URL per screen and may fetch its resources', async ({
  page,
  request,
}) => {
  await page.goto('/login?next=%2Forder&lang=zh_CN')
  const canonical = page.locator('link[rel="canonical"]')
  await expect(canonical).toHaveAttribute('href', /^http:\/\/127\.0\.0\.1:\d+\/login$/)
  await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /托管/)
  await expect(page).toHaveTitle('登录 · MEC2C')
  await page.goto('/register')
  await expect(page.getByText(/验证您的身份/)).toBeVisible()
  await expect(canonical).toHaveCount(0)
  const robots = await (await request.get('/robots.txt')).text()
  for (const open of ['/login', '/helpDetail', '/assets/', '/api/market/'])
    expect(robots).toContain(`Allow: ${open}\n`)
  expect(robots).toContain('Disallow: /\n')
})
