import { expect, test } from '@playwright/test'
import config from '../playwright.config.ts'
import { expectReadableTitles, expectRoomForMessages } from './expectRoom.ts'
import { expectToFit } from './expectToFit.ts'
import { signIn } from './overrides.ts'
import { ROUTES, SCREENS, visitScreens } from './visitScreens.ts'

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

test('with text twice as large, titles stay whole and a chat leaves room for its messages', async ({
  page,
  context,
}) => {
  test.setTimeout(600_000)
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expectReadableTitles(page, ROUTES)
  await expectRoomForMessages(page)
})
