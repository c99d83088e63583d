import { expect, type Page, test } from '@playwright/test'
import { signIn } from './overrides.ts'
import { ROUTES } from './visitScreens.ts'

test.beforeEach(async ({ page, context }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(context)
})

const failed = (page: Page) =>
  page.getByText('This can’t be loaded now. It opens as soon as you’re back online.')

test('a panel that was opened offline opens once the connection is back', async ({ page, context }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: /^Menu/ })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: /^Menu/ }).click()
  await expect(failed(page)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await expect(failed(page)).toBeHidden()
})

test('a panel that was closed while offline stays closed', async ({ page, context }) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: /^Language/ })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: /^Language/ }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  await expect(failed(page)).toBeHidden()
  await context.setOffline(false)
  // The code is there now, so opening needs no connection.
  await page.getByRole('button', { name: /^Language/ }).click()
  await expect(page.getByRole('dialog', { name: 'Language' })).toBeVisible()
})

test('a page that was opened offline loads once the connection is back', async ({ page, context }) => {
  await page.goto('/')
  const tab = page.getByRole('navigation').getByRole('link', { name: 'Publish' })
  await expect(tab).toBeVisible()
  await context.setOffline(true)
  await tab.click()
  const main = page.getByRole('main')
  await expect(main.getByText('You’re offline')).toBeVisible()
  await context.setOffline(false)
  await expect(main.getByText('You’re offline')).toBeHidden()
  await expect(main.getByRole('button').first()).toBeVisible()
})

test('code that a newer version has replaced is offered by a reload', async ({ page }) => {
  await page.goto('/')
  const tab = page.getByRole('navigation').getByRole('link', { name: 'Publish' })
  await expect(tab).toBeVisible()
  await page.route('**/assets/PublishPage*', (route) => route.fulfill({ status: 404, body: 'not found' }))
  await tab.click()
  const main = page.getByRole('main')
  await expect(main.getByText('Can’t reach MEC2C')).toBeVisible()
  await page.unroute('**/assets/PublishPage*')
  const reloaded = page.waitForEvent('load')
  await main.getByRole('button', { name: 'Try again' }).click()
  await reloaded
  await expect(main.getByText('Can’t reach MEC2C')).toBeHidden()
})

test('no tap without a connection takes the app down', async ({ page, context }) => {
  const crashes: string[] = []
  page.on('pageerror', (error) => crashes.push(error.message))
  for (const path of ROUTES) {
    await page.goto(path)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toBeVisible()
    await context.setOffline(true)
    const buttons = page.locator('header button, main button:not([disabled])')
    const count = Math.min(await buttons.count(), 8)
    for (let index = 0; index < count; index += 1) {
      const button = buttons.nth(index)
      if (!(await button.isVisible())) continue
      // A tap may have covered or removed the button.
      await button.click({ timeout: 300 }).catch(() => null)
      await page.keyboard.press('Escape')
    }
    await expect(page.locator('header')).toHaveCount(1)
    await context.setOffline(false)
  }
  expect(crashes).toEqual([])
})
