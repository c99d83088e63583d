import { test } from '@playwright/test'
import { expectReadableTitles, expectRoomForMessages } from './expectRoom.ts'
import { signIn } from './overrides.ts'
import { ROUTES } from './visitScreens.ts'

// A phone of 390 × 844 at 200 % zoom.
test.use({ viewport: { width: 195, height: 422 } })

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('no title is broken into letters, and headers leave most of the screen to the page', async ({
  page,
}) => {
  test.setTimeout(300_000)
  await expectReadableTitles(page, ROUTES)
})

test('a chat leaves room for its messages, and the order’s next step is on the screen', async ({ page }) => {
  await expectRoomForMessages(page)
})
