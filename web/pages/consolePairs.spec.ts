import { expect, test } from '@playwright/test'
import { open } from './consolePage.ts'
import { fulfillWith } from './overrides.ts'

test('a pair shows its changes before they are made, and is turned off and on', async ({ page }) => {
  await open(page, '/console/pairs/2')
  await expect(page.getByRole('button', { name: 'Review changes (0)' })).toBeDisabled()
  await page.getByLabel('Window to pay').fill('20')
  await page.keyboard.press('Control+Enter')
  const settings = page.getByRole('dialog', { name: 'Change the settings of MEC/KRW' })
  await expect(settings.getByRole('row', { name: 'Window to pay 15 20' })).toBeVisible()
  await settings.getByLabel('Reason').fill('The season')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Review changes (0)' })).toBeDisabled()
  await expect(page.getByLabel('Window to pay')).toHaveValue('20')
  for (const [button, state] of [
    ['Turn off MEC/KRW', 'Off'],
    ['Turn on MEC/KRW', 'On'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog', { name: button }).getByLabel('Reason').fill('A check')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(state)
  }
})

test('a pair keeps what is entered while other officers change it, and shows its own change at once', async ({
  page,
}) => {
  await open(page, '/console/pairs/3')
  const loaded = await page.evaluate(async () => (await fetch('/api/console/pairs')).json())
  let pairs: { id: number; version: string; settings: { name: string; value: string }[] }[] = loaded.data
  const change = (settings: Record<string, string>, version: string) => {
    pairs = pairs.map((one) =>
      one.id === 3
        ? {
            ...one,
            version,
            settings: one.settings.map(({ name, value }) => ({ name, value: settings[name] ?? value })),
          }
        : one,
    )
  }
  const held: (() => void)[] = []
  let hold = false
  await page.route('**/api/console/pairs', async (route) => {
    if (hold) await new Promise<void>((resolve) => held.push(resolve))
    await fulfillWith(route, pairs)
  })
  const sent: string[] = []
  await page.route('**/api/console/pairs/3', (route) => {
    const { settings, version } = route.request().postDataJSON()
    sent.push(version)
    if (version === 'first') {
      change({ confirmation_window: '33' }, 'second')
      return route.fulfill({ status: 409, json: { code: '5050', message: 'It has changed.', data: null } })
    }
    hold = true
    change(settings, `after ${version}`)
    return fulfillWith(
      route,
      pairs.find((one) => one.id === 3),
    )
  })
  change({}, 'first')
  await open(page, '/console/pairs/3')
  await page.getByLabel('Window to pay').fill('25')
  await page.keyboard.press('Control+Enter')
  const settings = page.getByRole('dialog', { name: 'Change the settings of USDT/EUR' })
  await settings.getByLabel('Reason').fill('The season')
  await page.keyboard.press('Control+Enter')
  await settings.getByRole('button', { name: 'I’ve reviewed the changes' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(settings).toHaveCount(0)
  await expect(page.getByLabel('Window to pay')).toHaveValue('25')
  await expect(page.getByLabel('Window to confirm')).toHaveValue('33')
  // The pairs are still loading.
  await page.getByRole('button', { name: 'Turn off USDT/EUR' }).click()
  const trading = page.getByRole('dialog', { name: 'Turn off USDT/EUR' })
  await trading.getByLabel('Reason').fill('A check')
  await expect.poll(() => held.length).toBe(1)
  hold = false
  const loads = page.waitForResponse('**/api/console/pairs')
  for (const release of held) release()
  await loads
  await expect(trading.getByLabel('Reason')).toHaveValue('A check')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Off')
  expect(sent).toEqual(['first', 'second', 'after second'])
})
