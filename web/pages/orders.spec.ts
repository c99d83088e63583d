import { expect, type Page, test } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { orders } from '../mock/orders.ts'
import { fulfillWith, overrideAdvert, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

async function says(page: Page, ...texts: (string | RegExp)[]) {
  for (const text of texts) await expect(page.getByText(text).first()).toBeVisible()
}

for (const [id, who] of [
  ['o-late', 'won’t be cancelled automatically, and the seller can’t cancel it'],
  ['o-late-seller', 'won’t be cancelled automatically, and you can’t cancel it'],
] as const) {
  test(`${id}: an overdue confirmation does not announce a cancellation`, async ({ page }) => {
    await page.goto(`/orderDetail?id=${id}`)
    await says(page, /confirmation is overdue/, who, 'is locked in escrow on-chain.')
    await expect(page.getByText('After that, the order is cancelled')).toHaveCount(0)
  })
}

test('the seller sees the payer’s account name on the order and before the release', async ({ page }) => {
  const name = 'Kaya Demir'
  await page.goto('/orderDetail?id=o-confirm')
  await expect(page.getByText(name, { exact: true })).toBeVisible()
  await says(page, `the payment must come from an account in the name of ${name}.`)
  await page.getByRole('button', { name: 'Payment received' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(name, { exact: true })).toBeVisible()
  await expect(
    sheet.getByText(`The payment must come from ${name}. If the payer’s name differs, don’t confirm.`),
  ).toBeVisible()
})

test('the seller sees the payer’s account name from the placement on, and the buyer whose account to use', async ({
  page,
}) => {
  await page.goto('/orderDetail?id=o-accept')
  await expect(page.getByText('Payer’s account name')).toHaveCount(1)
  await says(page, 'Kaya Demir')
  await page.goto('/orderDetail?id=o-pay')
  await says(page, 'Pay exactly this amount from an account in the name of Maria Gonzalez.')
})

test('the buyer reads the advice about the payment method before paying, and only once', async ({ page }) => {
  const advice = page.getByText('A transfer from someone else’s bank account can be refused.')
  await page.goto('/orderDetail?id=o-restored')
  await expect(advice).toBeVisible()
  await page.getByRole('button', { name: 'I have paid', exact: true }).click()
  await expect(page.getByRole('dialog').getByText('Confirm only after')).toBeVisible()
  await expect(advice).toHaveCount(1)
  // Neither for a payment on-chain, nor for the seller.
  for (const [id, seen] of [
    ['o-usdt', 'Send exactly this amount on this chain.'],
    ['o-ask', 'The buyer pays to'],
  ]) {
    await page.goto(`/orderDetail?id=${id}`)
    await expect(page.getByText(seen ?? '')).toBeVisible()
    await expect(advice).toHaveCount(0)
  }
})

test('both parties download the order record, and find out how to verify it', async ({ page }) => {
  for (const id of ['o-pay', 'o-confirm']) {
    await page.goto(`/orderDetail?id=${id}`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the order record' }).click()
    expect((await downloading).suggestedFilename()).toBe(`mec2c-order-${id}.jsonl`)
  }
  await page.getByRole('link', { name: 'How to verify it' }).click()
  await expect(page).toHaveURL('/helpDetail?id=order-record')
  await says(page, /mec2c verify-log FILE --key d75a98/)
})

test('a record that cannot be downloaded says why', async ({ page }) => {
  await page.route('**/api/c2c/deal/order/record/*', (route) => route.abort())
  await page.goto('/orderDetail?id=o-pay')
  await page.getByRole('button', { name: 'Download the order record' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /./ }).first()).toBeVisible()
})

test('a payment that has arrived is not overdue after the deadline', async ({ page }) => {
  await page.goto('/orderDetail?id=o-arrived')
  await expect(page.getByRole('heading', { name: /^Your payment has arrived/ })).toHaveText(
    'Your payment has arrived and is being confirmed on-chain.',
  )
  await says(page, '1 of 3 confirmations')
  await expect(page.getByText(/overdue|time’s up/)).toHaveCount(0)
  await page.goto('/order')
  await says(page, 'Confirming on-chain')
})

test('the seller sees a payment detected on-chain, and that it releases nothing', async ({ page }) => {
  await page.goto('/orderDetail?id=o-seen')
  await says(page, 'Payment detected on-chain', '1 of 3 confirmations')
  await says(page, 'This payment doesn’t release anything automatically. The seller still has to confirm it.')
  await expect(page.getByRole('button', { name: 'Copy Payment transaction' })).toBeVisible()
})

test('a buyer whose payment was detected on-chain is not asked to pay again', async ({ page }) => {
  await page.goto('/orderDetail?id=o-seen-buyer')
  await says(page, 'Your payment was detected on-chain. Tap “I have paid”.')
  await expect(page.getByRole('img', { name: /^QR code for address/ })).toHaveCount(0)
  await expect(page.getByText(/^Send exactly this amount/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await says(page, /^Your payment was detected on-chain. Don’t cancel/)
})

test('a buyer whose payment is ambiguous still sees how to pay, and is told to mark the order as paid', async ({
  page,
}) => {
  await page.goto('/orderDetail?id=o-ambiguous-buyer')
  await says(page, 'Possible payment detected on-chain', 'If you sent it, mark the order as paid')
  await expect(page.getByRole('img', { name: /^QR code for address/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await says(page, 'Don’t cancel if you’ve already paid')
  await expect(page.getByText('Your payment was detected on-chain')).toHaveCount(0)
})

test('a seller is warned of an ambiguous payment and of a repeated transaction, also before the release', async ({
  page,
}) => {
  await page.goto('/orderDetail?id=o-ambiguous')
  await says(page, 'Possible payment detected on-chain', 'may as well be another buyer’s payment')
  await says(page, 'Unknown. The buyer reported this transaction.')
  await says(page, 'The same transaction was reported for another order, too')
  await page.getByRole('button', { name: 'Payment received' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('The same transaction was reported for another order, too')).toBeVisible()
  await expect(
    sheet.getByText('The transfer detected on-chain may as well be another buyer’s payment'),
  ).toBeVisible()
})

test('a frozen order shows no payment details', async ({ page }) => {
  await page.goto('/orderDetail?id=o-frozen')
  await says(page, 'Don’t pay until it’s restored', 'was in escrow, but the deposit was reversed on-chain')
  await expect(page.getByText('is locked in escrow')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Payment details' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Copy Amount/ })).toHaveCount(0)
  await expect(page.getByText('from an account in your own name')).toHaveCount(0)
  await expect(page.getByText('Coins in escrow, done')).toHaveCount(0)
  const automatic = orders.find((one) => one.id === 'o-auto')
  await page.route('**/api/c2c/deal/order/o-auto', (route) =>
    fulfillWith(route, { ...automatic, overlay: 'FROZEN' }),
  )
  await page.goto('/orderDetail?id=o-auto')
  await says(page, 'Don’t pay until it’s restored')
  await expect(page.getByText('Send to escrow')).toHaveCount(0)
  await expect(page.getByRole('img', { name: /^QR code/ })).toHaveCount(0)
})

test('asking to cancel first shows the consequences and the cost', async ({ page }) => {
  await page.goto('/orderDetail?id=o-ask')
  await page.getByRole('button', { name: 'Ask to cancel' }).click()
  await says(page, /The order continues until the buyer agrees/, /If the buyer agrees, this uses one/)
  await says(page, 'You’ll have 1 left today.')
  await page.getByRole('button', { name: 'Keep order' }).click()
  await expect(page.getByRole('button', { name: 'Ask to cancel' })).toBeVisible()
  await page.getByRole('button', { name: 'Ask to cancel' }).click()
  await page.getByRole('button', { name: 'Ask the buyer' }).click()
  await says(page, 'You’ve asked the buyer to cancel. The order continues until the buyer agrees.')
})

test('agreeing to cancel warns a buyer who has paid', async ({ page }) => {
  await page.goto('/orderDetail?id=o-asked')
  await says(page, /^The seller has asked you to cancel this order/)
  await page.getByRole('button', { name: 'Agree to cancel' }).click()
  await says(
    page,
    /^Don’t agree if you’ve already paid/,
    /The order is permanently cancelled/,
    'This won’t affect your credit or use a free cancellation.',
  )
  await page.getByRole('button', { name: 'Keep order' }).click()
  // Agreeing cancels the order at the seller's cost, so the buyer must not be offered to cancel at their own cost.
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(0)
})

test('cancelling says whether it uses a free cancellation', async ({ page }) => {
  await page.goto('/orderDetail?id=o-auto')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await says(page, /^This uses one of your free cancellations/, 'You’ll have 1 left today.')
})

test('a cancelled automatic order shows the unused coins and a link to them', async ({ page }) => {
  await page.goto('/orderDetail?id=o-left')
  await says(
    page,
    'You have 21.5 USDT in your temporary balance: coins you sent that weren’t used in a trade.',
  )
  await page.getByRole('link', { name: 'Use or withdraw' }).click()
  await expect(page).toHaveURL(/\/fundRecord$/)
})

declare global {
  interface Window {
    sending: () => Promise<string>
  }
}

/** Adds a wallet that sends at once, and counts its transfers across reloads and tabs. */
async function pocket(page: Page, answers: 'at once' | 'never' = 'at once') {
  let count = 0
  await page.exposeFunction('sending', () => {
    count += 1
    return `0x${String(count).padStart(64, '0')}`
  })
  await page.addInitScript((when) => {
    const provider = {
      request: async ({ method }: { method: string }) => {
        if (method !== 'eth_sendTransaction') return ['0x1']
        const hash = await window.sending()
        return when === 'never' ? new Promise(() => null) : hash
      },
    }
    const info = { uuid: 'wallet-1', name: 'Pocket' }
    addEventListener('eip6963:requestProvider', () =>
      dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } })),
    )
  }, answers)
  return () => count
}

test('sending again from a wallet requires confirmation, even after a reload', async ({ page }) => {
  const sent = await pocket(page)
  await page.goto('/creating?id=ad-2')
  await page.getByRole('button', { name: 'Pay with Pocket' }).click()
  const said = /your wallet sent 1,000 MEC. It will appear here once it’s on-chain./
  await says(page, said)
  await page.reload()
  await says(page, said)
  await page.getByRole('button', { name: 'Send again with Pocket' }).click()
  await expect(page.getByRole('dialog').getByText(said)).toBeVisible()
  await page.getByRole('button', { name: 'Wait for confirmation' }).click()
  expect(sent()).toBe(1)
  // Another ad's page does not show the transfer.
  await page.goto('/creating?id=ad-3')
  await expect(page.getByRole('button', { name: 'Pay with Pocket' })).toBeVisible()
  await page.goto('/creating?id=ad-2')
  await page.getByRole('button', { name: 'Send again with Pocket' }).click()
  await page.getByRole('button', { name: 'Send 1,000 MEC again' }).click()
  await expect.poll(sent).toBe(2)
})

test('a sent transfer is remembered until it is on-chain, even if another transfer arrives first', async ({
  page,
}) => {
  const sent = await pocket(page)
  await page.goto('/creating?id=ad-2')
  await page.getByRole('button', { name: 'Pay with Pocket' }).click()
  await expect(page.getByRole('button', { name: 'Send again with Pocket' })).toBeVisible()
  const deposit = adverts.find((one) => one.id === 'ad-2')?.deposit
  let transfers: { hash: string; amount: string; confirmations: number }[] = []
  await overrideAdvert(page, 'ad-2', () => ({
    deposit: { ...deposit, received: '10', shortfall: '990', transfers },
  }))
  await says(page, 'Still missing')
  await page.getByRole('button', { name: 'Send again with Pocket' }).click()
  await page.getByRole('button', { name: 'Wait for confirmation' }).click()
  expect(sent()).toBe(1)
  transfers = [{ hash: `0x${'1'.padStart(64, '0')}`, amount: '10', confirmations: 1 }]
  await expect(page.getByRole('button', { name: 'Pay with Pocket' })).toBeVisible()
})

test('a page reloaded during a wallet request remembers the request', async ({ page }) => {
  const sent = await pocket(page, 'never')
  await page.goto('/creating?id=ad-2')
  await page.getByRole('button', { name: 'Pay with Pocket' }).click()
  await expect.poll(sent).toBe(1)
  await page.reload()
  await says(page, /we asked your wallet to send 1,000 MEC. Check in your wallet whether it was sent./)
  await expect(page.getByRole('button', { name: 'Pay with Pocket' })).toHaveCount(0)
})

test('a refund below its network fee is announced as temporary balance', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-pay')
  const kept = { kind: 'TEMPORARY_BALANCE', asset: 'USDT', amount: '0.4', party: 'BUYER', address: null }
  const actions = order?.actions.map((one) => (one.action === 'cancel' ? { ...one, movements: [kept] } : one))
  await page.route('**/api/c2c/deal/order/o-pay', (route) => fulfillWith(route, { ...order, actions }))
  await page.goto('/orderDetail?id=o-pay')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Cancel this order?' })
  await expect(sheet.getByText('To your temporary balance')).toBeVisible()
  await expect(sheet.getByText(/^0\.4 USDT/)).toBeVisible()
  await expect(sheet.getByText('Not more than the network fee of a refund')).toBeVisible()
})

test('the order says from whose account the payment must come', async ({ page }) => {
  await page.goto('/buySell?id=a-SELL-MEC-USD-0&amount=48')
  const own = page.getByText(/The payment must come from an account in the name of .+\. The seller sees/)
  await expect(own).toBeVisible()
  const placing = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/deal/order'),
  )
  await page.getByRole('button', { name: /^Buy / }).click()
  const body: unknown = (await placing).postDataJSON()
  expect(body).toMatchObject({ payerMethodId: expect.stringMatching(/./) })
})

test('a buyer with accounts of several holders chooses one', async ({ page }) => {
  const method = (id: string, name: string) => ({
    id,
    type: 'bankCard',
    currency: 'USD',
    fields: { name, account: '1', bankName: 'First Harbor Bank' },
    pictures: {},
    usage: 0,
  })
  const data = [method('p-1', 'Kaya Demir'), method('p-2', 'Demir Ltd'), method('p-3', 'Kaya Demir')]
  await page.route('**/api/payment/method/list', (route) =>
    route.fulfill({ json: { code: '200', message: '', data } }),
  )
  await page.goto('/buySell?id=a-SELL-MEC-USD-0&amount=48')
  const choice = page.getByRole('group', { name: 'Whose account will you pay from?' })
  await expect(choice.getByRole('radio')).toHaveCount(2)
  await choice.getByRole('radio', { name: 'Demir Ltd' }).check()
  await expect(page.getByText(/in the name of Demir Ltd\./)).toBeVisible()
  const placing = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/deal/order'),
  )
  await page.getByRole('button', { name: /^Buy / }).click()
  expect((await placing).postDataJSON()).toMatchObject({ payerMethodId: 'p-2' })
})
