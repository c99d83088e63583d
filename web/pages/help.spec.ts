import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { signIn } from './overrides.ts'

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))

test('visitors see how disputes are resolved, and how quickly', async ({ page }) => {
  await page.goto('/helpDetail?id=disputes')
  await expect(page.getByRole('heading', { name: 'How disputes are resolved' })).toBeVisible()
  await expect(page.getByText('Appeals of the last 30 days')).toBeVisible()
  for (const [label, value] of [
    ['Appeals filed', '148'],
    ['Decided within 24 hours', '96%'],
    ['Half decided within', '4.3 hours'],
    ['95% decided within', '19.5 hours'],
    ['Decided for the buyer', '71'],
    ['Withdrawn', '24'],
  ] as const) {
    await expect(page.getByText(label, { exact: true }).locator('..')).toContainText(value)
  }
  await expect(page.getByText(/waited for more than 24 hours count as late/)).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => one.id)).toEqual([])
})

test('too few appeals have no figures', async ({ page }) => {
  await page.route('**/api/common/appeal-figures', (route) =>
    route.fulfill({ json: { code: '200', message: '', data: { days: 30, least: 20, figures: null } } }),
  )
  await page.goto('/helpDetail?id=disputes')
  await expect(page.getByText('Fewer than 20 appeals were decided in this time.')).toBeVisible()
  await expect(page.getByText('Appeals filed')).toHaveCount(0)
})

test('the article is shown although its figures are not available', async ({ page }) => {
  await page.route('**/api/common/appeal-figures', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/helpDetail?id=disputes')
  await expect(page.getByText(/Losing an appeal costs credit/)).toBeVisible()
  await expect(page.getByRole('button', { name: /try again/i })).toBeVisible()
})

test('an unknown article says so and leads to the others, also without an ID', async ({ context, page }) => {
  await signIn(context)
  for (const path of ['/helpDetail?id=1', '/helpDetail']) {
    await page.goto(path)
    await expect(page.getByText('There is no such article')).toBeVisible()
    await page.getByRole('link', { name: 'All articles' }).click()
    await expect(page).toHaveURL('/helpList')
  }
})

test('the articles are reached from the menu and from an appeal', async ({ context, page }) => {
  await signIn(context)
  await page.goto('/helpList')
  await page.getByRole('link', { name: /^Order records/ }).click()
  await expect(page.getByText('Our public keys')).toBeVisible()
  await page.goto('/appeal?id=o-appealed')
  await page.getByRole('link', { name: 'How disputes are resolved' }).click()
  await expect(page).toHaveURL('/helpDetail?id=disputes')
})
