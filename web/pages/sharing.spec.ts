import { expect, type Page, test } from '@playwright/test'
import { expectToBeAccessible } from './expectToBeAccessible.ts'
import { signIn } from './overrides.ts'

const AD = 'a-SELL-MEC-USD-0'

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }))

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Share this ad' })

/** Replaces the dialog of the device, and records what it is given. */
async function recordShares(page: Page, outcome: 'shared' | 'closed' | 'failed'): Promise<void> {
  await page.addInitScript((outcome) => {
    const shares: ShareData[] = []
    Object.assign(window, { shares })
    navigator.share = async (data) => {
      shares.push(data ?? {})
      if (outcome !== 'shared')
        throw new DOMException('', outcome === 'closed' ? 'AbortError' : 'NotAllowedError')
    }
  }, outcome)
}

for (const [size, viewport] of [
  ['phones', { width: 390, height: 844 }],
  ['desktops', { width: 1280, height: 800 }],
] as const) {
  test(`the order form shows a link and a QR code that lead to the ad, on ${size}`, async ({
    page,
    context,
  }) => {
    await signIn(context)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.setViewportSize(viewport)
    await page.goto(`/buySell?id=${AD}`)
    const link = new URL(`/buySell?id=${AD}`, page.url()).href
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await expect(sheet(page).getByText(link)).toBeVisible()
    await expect(sheet(page).getByRole('img', { name: 'QR code of the link to this ad' })).toBeVisible()
    await expectToBeAccessible(page, page.url())
    await sheet(page).getByRole('button', { name: 'Copy link' }).click()
    await expect(page.getByText('Copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toBeHidden()
  })
}

test('owners share an ad from its details', async ({ page, context }) => {
  await signIn(context)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/myAdvert')
  const online = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: 'Take offline' }) })
  await online.first().getByRole('button', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(sheet(page).getByText(/\/buySell\?id=/)).toBeVisible()
})

test('the dialog of the device gets the link, and closing it is no failure', async ({ page, context }) => {
  await signIn(context)
  await recordShares(page, 'closed')
  await page.goto(`/buySell?id=${AD}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await sheet(page).getByRole('button', { name: 'Share with an app' }).click()
  const shares: unknown = await page.evaluate(() => Reflect.get(window, 'shares'))
  expect(shares).toEqual([{ url: new URL(`/buySell?id=${AD}`, page.url()).href }])
  await expect(page.getByText('Couldn’t share the link')).toHaveCount(0)
})

test('a device that refuses to share is reported', async ({ page, context }) => {
  await signIn(context)
  await recordShares(page, 'failed')
  await page.goto(`/buySell?id=${AD}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await sheet(page).getByRole('button', { name: 'Share with an app' }).click()
  await expect(page.getByText('Couldn’t share the link. Copy it instead.')).toBeVisible()
})

test('a guest who opens the link logs in first', async ({ page }) => {
  await page.goto(`/buySell?id=${AD}`)
  await expect(page).toHaveURL(`/login?next=${encodeURIComponent(`/buySell?id=${AD}`)}`)
})

test('the link to an ad that has vanished leads to the hall', async ({ page, context }) => {
  await signIn(context)
  await page.route(/\/api\/c2c\/advert\/a-[^/]+$/, (route) =>
    route.fulfill({ status: 404, json: { code: '5000', message: 'The ad doesn’t exist.', data: null } }),
  )
  await page.goto(`/buySell?id=${AD}`)
  await expect(page.getByText('This ad isn’t available')).toBeVisible()
  await page.getByRole('link', { name: 'Go to trading hall' }).click()
  await expect(page).toHaveURL('/')
})
