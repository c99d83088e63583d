import { test } from '@playwright/test'
import { expectToFit } from './expectToFit.ts'
import { SCREENS, visitScreens } from './visitScreens.ts'

test.use({ viewport: { width: 320, height: 640 } })

for (const language of ['en', 'zh_CN'] as const) {
  test(`every screen fits the narrowest phone, in ${language}`, async ({ page, context }) => {
    test.setTimeout(600_000)
    await visitScreens({ page, context }, SCREENS, { theme: 'dark', language }, (path) =>
      expectToFit(page, path),
    )
  })
}
