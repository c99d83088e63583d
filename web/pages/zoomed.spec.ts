import { expect, type Page, test } from '@playwright/test'
import { expectReadableTitles, expectRoomBetweenBars, expectRoomForMessages } from './expectRoom.ts'
import { expectNoSidewaysScroll, expectToFit } from './expectToFit.ts'
import { signIn } from './overrides.ts'
import { ROUTES, SCREENS, visitScreens } from './visitScreens.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test.describe('a phone of 390 × 844 at 200 % zoom', () => {
  test.use({ viewport: { width: 195, height: 422 } })

  test('no title is broken into letters, and headers leave most of the screen to the page', async ({
    page,
  }) => {
    test.setTimeout(300_000)
    await expectReadableTitles(page, ROUTES)
  })

  test('a chat leaves room for its messages, and the order’s next step is on the screen', async ({
    page,
  }) => {
    await expectRoomForMessages(page)
  })

  test('the notifications can be reached although the header has no room for their bell', async ({
    page,
  }) => {
    await page.goto('/personalCenter')
    await page.getByRole('link', { name: 'Notifications', exact: true }).click()
    await expect(page).toHaveURL('/notifications')
  })
})

test.describe('a desktop of 1280 × 800 at 200 % zoom', () => {
  test.use({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 })

  for (const language of ['en', 'zh_CN'] as const) {
    test(`every screen fits, and bars leave most of it to the page, in ${language}`, async ({
      page,
      context,
    }) => {
      test.setTimeout(600_000)
      await visitScreens({ page, context }, SCREENS, { theme: 'light', language }, async (path) => {
        await expectToFit(page, path)
        await expectRoomBetweenBars(page, path)
      })
    })
  }

  test('a chat leaves room for its messages, and the order’s next step is on the screen', async ({
    page,
  }) => {
    await expectRoomForMessages(page)
  })

  const PANELS: readonly [path: string, opener: string | RegExp, last: string | RegExp][] = [
    ['/', /^Menu/, 'Log out'],
    ['/?quote=USDT&wish=NFT', 'Filters', /^Show \d+ NFTs/],
    ['/buySell?id=a-SELL-MEC-USD-0', 'Share', 'Copy link'],
    ['/orderDetail?id=o-pay', 'I have paid', /paid/],
    ['/orderDetail?id=o-pay', 'Cancel', /^Cancel/],
    ['/orderDetail?id=o-confirm', 'Payment received', /^Release/],
    ['/nft/list', 'Withdraw', /^Withdraw/],
  ]
  for (const [path, opener, last] of PANELS) {
    test(`the panel of “${opener}” on ${path} scrolls to its last button`, async ({ page }) => {
      await page.goto(path)
      await page.getByRole('button', { name: opener, exact: true }).first().click()
      const panel = page.getByRole('dialog')
      const button = panel.getByRole('button', { name: last }).last()
      await button.scrollIntoViewIfNeeded()
      await expect(button).toBeInViewport({ ratio: 1 })
      await expectWithin(page)
    })
  }
})

/** Asserts that a panel is within the window, with its title and the button that closes it. */
async function expectWithin(page: Page) {
  await expectNoSidewaysScroll(page, page.url())
  await expect(page.getByRole('dialog')).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
}
