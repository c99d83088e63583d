import { expect, test } from '@playwright/test'
import { bankCard } from '../mock/paymentMethods.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('whoever sells into an automatic ad deposits coins and does not pay', async ({ page }) => {
  await page.goto('/buySell?id=a-BUY-MEC-USDT-0&amount=100')
  await expect(page.getByText('The USDT that pays you is already in on-chain escrow.')).toBeVisible()
  await expect(page.getByText(/You then have \d+ minutes to deposit the MEC into escrow/)).toBeVisible()
  await expect(page.getByText('minutes to pay')).toHaveCount(0)
  await expect(page.locator('dl > div').filter({ hasText: 'Fee' })).toContainText('Paid by the buyer')
})

test('whoever sells into a manual ad reads when to deposit and how long the buyer has', async ({ page }) => {
  await page.goto('/buySell?id=a-BUY-MEC-USD-0&amount=100')
  await expect(
    page.getByText(/Once the buyer accepts, you have \d+ minutes to deposit the MEC into escrow/),
  ).toBeVisible()
  await expect(page.getByText('The buyer then has 15 minutes to pay you.')).toBeVisible()
  await expect(page.getByText('a network fee of 0.01 MEC is deducted from the refund')).toBeVisible()
  await expect(page.getByText('already in on-chain escrow')).toHaveCount(0)
})

test('a seller with several accounts chooses the own one to be paid at', async ({ page }) => {
  const second = { ...bankCard, id: 'm-9', fields: { ...bankCard.fields, account: '6222029999999999' } }
  await page.route('**/api/payment/method/list', (route) => fulfillWith(route, [bankCard, second]))
  const sent: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/c2c/deal/order')) sent.push(request.postDataJSON())
  })
  await page.goto('/buySell?id=a-BUY-MEC-USD-0&amount=100')
  const choice = page.getByRole('group', { name: 'Where do you want to be paid?' })
  await expect(choice.getByRole('radio')).toHaveCount(2)
  await choice.getByRole('radio', { name: /6222029999999999/ }).check()
  await page.getByRole('button', { name: /^Sell / }).click()
  await expect(page).toHaveURL(/\/orderDetail\?id=/)
  expect(sent.map((body) => [body['paymentMethodId'], 'payerMethodId' in body])).toEqual([['m-9', false]])
})

test('the seller sees where to deposit, and what a cancellation does with coins on the way', async ({
  page,
}) => {
  await page.goto('/orderDetail?id=o-deposit')
  await expect(page.getByRole('heading', { name: /^Deposit into escrow within/ })).toBeVisible()
  await expect(page.getByText('You still hold 100 MEC.')).toBeVisible()
  await expect(page.getByRole('img', { name: /^QR code: send 100 MEC to 0x/ })).toBeVisible()
  await expect(page.getByText('Your deposit', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toContainText(
    'Whatever you’ve sent for this order is added to your temporary balance when it arrives.',
  )
})

test('the buyer who advertises waits for the deposit and is told not to pay before', async ({ page }) => {
  await page.goto('/orderDetail?id=o-bought')
  await expect(page.getByRole('heading', { name: /^Waiting for the seller’s deposit/ })).toBeVisible()
  await expect(page.getByText('The seller still holds 100 MEC.')).toBeVisible()
  await page.goto('/orderDetail?id=o-buy')
  await page.getByRole('button', { name: 'Accept order' }).click()
  const sheet = page.getByRole('dialog', { name: 'Accept this order?' })
  await expect(sheet).toContainText('The seller deposits 100 MEC into escrow. Don’t pay before that.')
  await expect(sheet).toContainText('You must pay from the account of')
})

test('a refund says how much arrives where, and when', async ({ page }) => {
  await page.goto('/orderDetail?id=o-refund')
  await expect(page.getByRole('heading', { name: 'Returning the escrowed coins to you' })).toBeVisible()
  // The payment is not awaited any more.
  await expect(page.getByText(/^Step \d of 5/)).toHaveCount(0)
  await expect(
    page.getByText(/^100 MEC is on the way to your bound address\. .* usually within minutes\./),
  ).toBeVisible()
})

test('the texts for sellers are in Chinese as well', async ({ page }) => {
  await page.goto('/buySell?id=a-BUY-MEC-USDT-0&amount=100&lang=zh_CN')
  await expect(page.getByText(/您有 \d+ 分钟将 MEC 存入托管。/)).toBeVisible()
  await expect(page.getByText('由买家承担')).toBeVisible()
  await page.goto('/orderDetail?id=o-refund')
  await expect(page.getByText('100 MEC 正在退回您的绑定地址')).toBeVisible()
})
