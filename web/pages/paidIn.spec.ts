import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { overrideUser, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('the USDT address is the first payment method, with its chain', async ({ page }) => {
  await page.goto('/paymentMethod')
  const usdt = page.getByRole('region', { name: 'USDT address' })
  await expect(usdt.getByText('ERC20', { exact: true })).toBeVisible()
  await expect(usdt.getByText('on MEC chain (ERC20) only')).toBeVisible()
  await expect(usdt.getByRole('button', { name: 'Copy Address' })).toBeVisible()
  await expect(usdt.getByRole('link', { name: 'Change' })).toHaveAttribute(
    'href',
    '/updateReceivingAddress?next=%2FpaymentMethod',
  )
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => one.id)).toEqual([])
})

test('who has none can add a USDT address there', async ({ page }) => {
  await overrideUser(page, () => ({ receivingAddress: null, chainType: null }))
  await page.goto('/paymentMethod')
  const usdt = page.getByRole('region', { name: 'USDT address' })
  await usdt.getByRole('link', { name: 'Add USDT address' }).click()
  await expect(page).toHaveURL(/^[^?]*\/updateReceivingAddress\?next=/)
})

test('among the currencies of a new payment method, USDT leads to that address', async ({ page }) => {
  await page.goto('/creatingPayment?currency=USD')
  await page.getByLabel('Currency').selectOption('USDT')
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Go to your USDT address' })).toHaveAttribute(
    'href',
    '/updateReceivingAddress?next=%2FpaymentMethod',
  )
  await page.getByLabel('Currency').selectOption('USD')
  await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
})

test('a payment account is named as its service names it', async ({ page }) => {
  await page.goto('/creatingPayment?currency=CNY&type=alipay')
  await expect(page.getByLabel('Email or phone number')).toBeVisible()
  await page.getByLabel('Type').selectOption('wechat')
  await expect(page.getByLabel('WeChat ID')).toBeVisible()
})

test('an amount with a minus sign is refused instead of losing the sign', async ({ page }) => {
  await page.goto('/buySell?id=a-SELL-MEC-USD-0')
  const field = page.getByLabel('You pay')
  const refusal = page.getByRole('alert').filter({ hasText: 'An amount can’t be negative.' })
  const buy = page.getByRole('button', { name: /^Buy/ })
  await field.fill('48')
  await expect(buy).toHaveText(/^Buy [\d.]+ MEC$/)
  await field.press('Home')
  await field.press('-')
  await expect(field).toHaveValue('-48')
  await expect(refusal).toBeVisible()
  await expect(buy).toHaveText('Buy MEC')
  await field.press('Home')
  await field.press('Delete')
  await expect(field).toHaveValue('48')
  await expect(refusal).toHaveCount(0)
  await expect(buy).toHaveText(/^Buy [\d.]+ MEC$/)
  await field.fill('')
  await field.pressSequentially('−5')
  await expect(field).toHaveValue('−5')
  await page.getByRole('button', { name: 'Max' }).click()
  await expect(refusal).toHaveCount(0)
  await expect(field).not.toHaveValue('−5')
})

test('an ad that is priced in USDT says on which chain one pays, before one orders', async ({ page }) => {
  await page.goto('/?base=MEC&quote=USDT')
  const row = page.getByRole('listitem').filter({ hasText: 'USDT address' }).first()
  await expect(row.getByText('ERC20', { exact: true })).toBeVisible()
  const warning = page.getByText('Pay on this chain only. Anything sent on another chain is lost.')
  await page.goto('/buySell?id=a-SELL-MEC-USDT-1')
  await expect(warning).toBeVisible()
  await expect(page.getByText('You pay to').locator('..')).toContainText('USDT address')
  await expect(page.getByText('You pay to').locator('..')).toContainText('ERC20')
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => one.id)).toEqual([])
  // The platform gives the address of an automatic order, on its own chain.
  await page.goto('/buySell?id=a-SELL-MEC-USDT-0')
  await expect(page.getByText('Your order is accepted immediately.')).toBeVisible()
  await expect(warning).toHaveCount(0)
  // A buyer pays at the user's own address.
  await page.goto('/buySell?id=a-BUY-MEC-USDT-1')
  await expect(page.getByText('Once the buyer accepts')).toBeVisible()
  await expect(warning).toHaveCount(0)
})
