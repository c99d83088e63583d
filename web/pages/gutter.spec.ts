import { expect, type Page, test } from '@playwright/test'
import { caseId } from '../mock/values.ts'
import config from '../playwright.config.ts'
import { asOlga } from './consolePage.ts'
import { signIn } from './overrides.ts'

// Classic scrollbars take room beside the page, as on most desktops.
test.use({
  viewport: { width: 1280, height: 800 },
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] },
})

/** Returns the colors of the page beside the gutter of the scrollbar, and of the gutter. */
async function colors(page: Page) {
  const gutter = await page.evaluate(() => innerWidth - document.body.getBoundingClientRect().width)
  expect(gutter, 'the scrollbar takes room').toBeGreaterThan(5)
  const shot = (await page.screenshot()).toString('base64')
  return page.evaluate(
    async ([data, width]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
      const drawn = new OffscreenCanvas(image.width, image.height).getContext('2d')
      drawn?.drawImage(image, 0, 0)
      const at = (x: number) => Array.from(drawn?.getImageData(x, 700, 1, 1).data ?? [])
      return { beside: at(innerWidth - width - 3), gutter: at(innerWidth - 3) }
    },
    [shot, gutter] as const,
  )
}

/** Checks that the gutter is as dark as the page beside it, whose color is rounded elsewhere. */
async function expectOneColor(page: Page) {
  await expect
    .poll(async () => {
      const { beside, gutter } = await colors(page)
      return Math.max(...beside.map((channel, index) => Math.abs(channel - (gutter[index] ?? 0))))
    })
    .toBeLessThanOrEqual(2)
}

for (const theme of ['light', 'dark'] as const) {
  test(`dialogs and sheets dim the gutter of the scrollbar in ${theme} colors`, async ({ page, context }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.addInitScript((shown) => localStorage.setItem('theme', shown), theme)
    await signIn(context)
    await page.goto('/orderDetail?id=o-pay')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectOneColor(page)
    const dimmed = (await colors(page)).gutter
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const clear = (await colors(page)).beside
    expect(clear).not.toEqual(dimmed)

    await page.goto('/console/users/0198c2a4-0000-7000-8000-000000000001')
    await page.getByRole('button', { name: 'Hold', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Hold' })).toBeVisible()
    await expectOneColor(page)
    await asOlga(page)
    await page.goto(`/console/appeals/${caseId(1)}`)
    await expect(page.getByRole('region', { name: 'Statements and parties' })).toBeVisible()
    await page.keyboard.press('e')
    await expect(page.getByRole('dialog', { name: 'Receipt of the buyer' })).toBeVisible()
    await expectOneColor(page)
  })
}
