import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { expectNoSidewaysScroll } from './expectToFit.ts'
import { MONEY, SCREENS, visitScreens } from './visitScreens.ts'

/** Makes the viewport as high as the page, so that the action bar covers nothing. */
async function unrolled(page: Page) {
  const { width } = page.viewportSize() ?? { width: 390 }
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, 844) })
}

/** Rules that depend on colors. All other rules have the same result in both themes and are checked in one. */
const COLOURS = ['color-contrast', 'link-in-text-block']

async function readable(page: Page, path: string, rules: readonly string[] = []) {
  await unrolled(page)
  const axe = new AxeBuilder({ page })
  if (rules.length > 0) axe.withRules([...rules])
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  const { violations } = await axe.analyze()
  const said = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`)
  expect.soft(said, path).toEqual([])
}

// Test the screens in two halves, so that two workers share the work.
const HALF = Math.ceil(SCREENS.length / 2)
for (const [name, screens] of [
  ['first', SCREENS.slice(0, HALF)],
  ['second', SCREENS.slice(HALF)],
] as const) {
  test(`the ${name} half of the screens is accessible in both themes`, async ({ page, context }) => {
    test.setTimeout(600_000)
    await visitScreens({ page, context }, screens, { theme: 'dark', language: 'en' }, async (path) => {
      await readable(page, path)
      await page.evaluate(() => {
        document.documentElement.dataset['theme'] = 'light'
        // Wait for the color transition of the theme.
        return Promise.allSettled(document.getAnimations().map((one) => one.finished))
      })
      await readable(page, `${path} in light`, COLOURS)
    })
  })
}

test('the money screens are accessible in Chinese', async ({ page, context }) => {
  test.setTimeout(600_000)
  await visitScreens({ page, context }, MONEY, { theme: 'light', language: 'zh_CN' }, async (path) => {
    await expect.soft(page.locator('html'), path).toHaveAttribute('lang', 'zh-CN')
    await expect.soft(page.locator('main'), path).toContainText(/\p{Script=Han}/u)
    await readable(page, path)
  })
})

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1280, height: 800 } })
  test('no screen scrolls sideways', async ({ page, context }) => {
    test.setTimeout(600_000)
    await visitScreens({ page, context }, SCREENS, { theme: 'dark', language: 'en' }, async (path) => {
      await expectNoSidewaysScroll(page, path)
    })
  })
})
