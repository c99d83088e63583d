import { expect, test } from '@playwright/test'
import { fulfillWith, lacking, overrideMissing, overrideUser, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signIn(context)
})

// Pages still poll when a test ends; routes in progress must not fail it.
test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test('after setting a nickname from an ad, the ad opens again with its amount', async ({ page }) => {
  let nickname: string | null = null
  await overrideUser(page, () => ({ nickname, nicknameChangeableAt: null }))
  await overrideMissing(page, () => (nickname === null ? [lacking('NICKNAME')] : []))
  await page.route('**/api/user/updateInfo', (route) => {
    nickname = 'Maria7'
    return fulfillWith(route, null)
  })
  await page.goto('/')
  await page
    .getByRole('link', { name: /^(Buy|Sell)/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/buySell\?id=/)
  const ad = new URL(page.url()).searchParams.get('id')
  // The hall, which stays mounted, has a field of its own until it is hidden.
  await expect(page.getByRole('link', { name: 'Set a nickname' })).toBeVisible()
  const amount = page.getByRole('textbox').first()
  await amount.fill('25')
  await page.getByRole('link', { name: 'Set a nickname' }).click()
  await page.getByLabel('Public name').fill('Maria7')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(`/buySell?id=${ad}&amount=25`)
  await expect(amount).toHaveValue('25')
  await expect(page.getByRole('link', { name: 'Set a nickname' })).toHaveCount(0)
})

test('Back in the publish wizard goes one step back and keeps the draft', async ({ page }) => {
  await page.goto('/personalCenter')
  await page.getByRole('link', { name: 'Publish' }).first().click()
  await page.getByRole('radio', { name: 'MEC', exact: true }).check()
  await page
    .getByRole('group', { name: 'What do you want to be paid in?' })
    .getByRole('radio', { name: /^USD / })
    .check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Price per MEC').fill('0.48')
  await page.getByLabel('How much are you selling?').fill('100')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Max' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Price per MEC')).toHaveValue('0.48')
  await page.goForward()
  await expect(page.getByRole('button', { name: 'Max' })).toBeVisible()
  // The wizard's own button takes the same way, so the browser's button then goes one step further back.
  await page.getByRole('button', { name: 'Back', exact: true }).last().click()
  await expect(page.getByLabel('Price per MEC')).toHaveValue('0.48')
  await page.goBack()
  await expect(page.getByRole('radio', { name: 'MEC', exact: true })).toBeChecked()
  await page.goBack()
  await expect(page).toHaveURL('/personalCenter')
})

test('login and registration send a user with a session on', async ({ page }) => {
  for (const [from, to] of [
    ['/login', '/'],
    ['/register', '/'],
    ['/login?next=%2Forder', '/order'],
    ['/login?next=%2F%2Fevil.test', '/'],
  ] as const) {
    await page.goto(from)
    await expect(page, from).toHaveURL(to)
  }
})

test('an order that does not exist leads to the orders, also without an ID', async ({ page }) => {
  for (const path of ['/orderDetail?id=abc', '/orderDetail']) {
    await page.goto(path)
    await page.getByRole('link', { name: 'Your orders' }).click()
    await expect(page).toHaveURL('/order')
  }
})

test('the handle of the slide check is as large as other touch targets', async ({ context, page }) => {
  await context.clearCookies()
  await page.goto('/login')
  await page.getByLabel('Email').fill('maria@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('Secret 123!')
  await page.keyboard.press('Enter')
  const slider = page.getByRole('slider', { name: 'Position of the puzzle piece' })
  const box = await slider.boundingBox()
  if (box === null) throw new Error('the slider is not shown')
  // To press the handle moves nothing, while beside it the handle would jump to the pointer.
  await page.mouse.move(box.x + 40, box.y + box.height / 2)
  await page.mouse.down()
  await expect(slider).toHaveValue('0')
  await page.mouse.up()
  await page.mouse.move(box.x + 60, box.y + box.height / 2)
  await page.mouse.down()
  await expect(slider).not.toHaveValue('0')
  await page.mouse.up()
})
