import { expect, test } from '@playwright/test'
import config from '../playwright.config.ts'
import { expectToFit } from './expectToFit.ts'
import { SCREENS, visitScreens } from './visitScreens.ts'

// Set the browser's font size, as users who need larger text do.
const { args = [], ...browser } = config.use?.launchOptions ?? {}
test.use({ launchOptions: { ...browser, args: [...args, '--blink-settings=defaultFontSize=32'] } })

for (const language of ['en', 'zh_CN'] as const) {
  test(`every screen fits with text twice as large, in ${language}`, async ({ page, context }) => {
    test.setTimeout(600_000)
    await visitScreens({ page, context }, SCREENS, { theme: 'light', language }, async (path) => {
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
      await expectToFit(page, path)
    })
  })
}
