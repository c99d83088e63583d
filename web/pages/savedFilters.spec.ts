import { expect, test } from '@playwright/test'
import { expectToBeAccessible } from './expectToBeAccessible.ts'
import { signIn } from './overrides.ts'

const NAME = 'Buy MEC with USD · 48 USD · Zelle or Cash App · Certified · Ads I can order from'
const HALL = '/?base=MEC&quote=USD&amount=48&methods=zelle%2CcashApp&certified=true&requirementsMet=true'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('saved filters survive a reload, apply with one tap and can be deleted', async ({ page }) => {
  await page.goto(`/filters${HALL.slice(1)}`)
  await page.getByRole('button', { name: 'Save these filters' }).click()
  await expect(page.getByText('Saved on this device')).toBeVisible()
  await page.goto('/filters?base=MEC&quote=EUR')
  // There is nothing to save.
  await expect(page.getByRole('button', { name: 'Save these filters' })).toHaveCount(0)
  await page.getByRole('link', { name: NAME }).click()
  await expect(page).toHaveURL(HALL)
  await page.getByRole('link', { name: 'Filters, 3 in effect' }).click()
  await expect(page.getByText('Saved on this device')).toBeVisible()
  await page.getByRole('button', { name: `Delete the saved filter ${NAME}` }).click()
  await expect(page.getByRole('link', { name: NAME })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Save these filters' })).toBeVisible()
  await expect(page.getByRole('link', { name: NAME })).toHaveCount(0)
})

test('saved filters are gone after logging out, and nobody sees those of another user', async ({
  page,
  context,
}) => {
  await page.goto(`/filters${HALL.slice(1)}`)
  await page.getByRole('button', { name: 'Save these filters' }).click()
  await expect(page.getByRole('link', { name: NAME })).toBeVisible()
  await context.addCookies([{ name: 'userId', value: 'u-other', url: 'http://127.0.0.1' }])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Save these filters' })).toBeVisible()
  await expect(page.getByRole('link', { name: NAME })).toHaveCount(0)
  await context.addCookies([{ name: 'userId', value: 'u-me', url: 'http://127.0.0.1' }])
  await page.reload()
  await expect(page.getByRole('link', { name: NAME })).toBeVisible()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => localStorage.getItem('savedFilters'))).toBeNull()
})

test('no more than ten filters are saved', async ({ page }) => {
  await page.goto('/filters?base=MEC&quote=USD')
  await page.evaluate(() => {
    const addresses = Array.from({ length: 10 }, (_, index) => `/?base=MEC&quote=USD&amount=${index + 1}`)
    localStorage.setItem(
      'savedFilters',
      JSON.stringify({ userId: 'u-me', addresses: [...addresses, 'nonsense'] }),
    )
  })
  await page.goto('/filters?base=MEC&quote=USD&fast=true')
  await expect(page.getByText('You’ve saved 10 filters, the maximum.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Saved filters' }).getByRole('link')).toHaveCount(10)
  await page
    .getByRole('button', { name: /^Delete the saved filter/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Save these filters' }).click()
  await expect(page.getByText('Saved on this device')).toBeVisible()
})

test('on a wide screen, a sheet of the hall saves filters, which survive a reload and apply', async ({
  page,
}) => {
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(HALL)
    await page.getByRole('button', { name: 'Saved filters' }).click()
    const sheet = page.getByRole('dialog', { name: 'Saved filters' })
    await sheet.getByRole('button', { name: 'Save these filters' }).click()
    await expect(sheet.getByText('Saved on this device')).toBeVisible()
    await page.goto('/?base=MEC&quote=EUR')
    await page.reload()
    await expect(page.getByRole('combobox', { name: 'Pair' })).toHaveValue('MEC/EUR')
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await expect(sheet.getByText('Choose filters in the hall, then save them here.')).toBeVisible()
    await expectToBeAccessible(page, 'saved filters')
    await sheet.getByRole('button', { name: NAME, exact: true }).click()
    await expect(sheet).toBeHidden()
    await expect(page).toHaveURL(HALL)
    await expect(page.getByRole('button', { name: 'Certified' }).first()).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await expect(page.getByText('2 payment methods')).toBeVisible()
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await sheet.getByRole('button', { name: `Delete the saved filter ${NAME}` }).click()
    await expect(sheet.getByRole('button', { name: 'Save these filters' })).toBeVisible()
    await expect(sheet.getByRole('button', { name: NAME, exact: true })).toHaveCount(0)
  }
})

test('filters of NFTs are saved too, and apply among coins', async ({ page }) => {
  const traits = encodeURIComponent(JSON.stringify([['Background', 'Gold']]))
  const address = `/?base=ART&quote=USDT&wish=NFT&certified=true&priceMax=90&traits=${traits}&sort=newest`
  const name = 'NFTs of Mecha Gardens for USDT · Up to 90 USDT · Certified · Background: Gold · Newest first'
  await page.goto(address)
  await page.getByRole('button', { name: 'Saved filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Saved filters' })
  await sheet.getByRole('button', { name: 'Save these filters' }).click()
  await expect(sheet.getByRole('button', { name, exact: true })).toBeVisible()
  await page.goto('/filters?base=MEC&quote=USD')
  await page.getByRole('link', { name, exact: true }).click()
  await expect(page).toHaveURL(/wish=NFT.*priceMax=90/)
  await expect(page.getByRole('combobox', { name: 'Album' })).toHaveValue('ART')
  await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveValue('newest')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/?base=MEC&quote=USD')
  await page.getByRole('button', { name: 'Saved filters' }).click()
  await sheet.getByRole('button', { name, exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Album' })).toHaveValue('ART')
  await expect(page).toHaveURL(/wish=NFT.*priceMax=90/)
})
