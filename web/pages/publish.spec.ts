import { expect, type Page, test } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { expectToBeAccessible } from './expectToBeAccessible.ts'
import { expectToFit } from './expectToFit.ts'
import { fulfillWith, overrideUser, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const GROUP = '\u202f'

/** Goes to the price of an ad that sells MEC. */
async function toPrice(page: Page, quote: RegExp): Promise<void> {
  await page.goto('/publish')
  await page.getByRole('radio', { name: 'MEC', exact: true }).check()
  const quotes = page.getByRole('group', { name: 'What do you want to be paid in?' })
  await quotes.getByRole('radio', { name: quote }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Price per MEC')).toBeVisible()
}

/** Goes on to the review, with the only payment method that fits. */
function toReview(page: Page): Promise<void> {
  return toReviewAt(page, '0.48', '1000')
}

async function toReviewAt(page: Page, price: string, quantity = '100000'): Promise<void> {
  await page.getByLabel('Price per MEC').fill(price)
  await page.getByLabel('How much are you selling?').fill(quantity)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Max' }).click()
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Create ad' })).toBeVisible()
}

test('the review of an ad shows how one is paid and how long buyers have', async ({ page }) => {
  await toPrice(page, /^USD /)
  await toReview(page)
  const line = (name: string) => page.locator('dl > div').filter({ hasText: name })
  await expect(line('You get paid via')).toContainText('Bank card')
  await expect(line('Time to pay')).toContainText('30 minutes')
})

test('what the review says about taking orders follows the switch', async ({ page }) => {
  await overrideUser(page, () => ({ online: false }))
  await toPrice(page, /^USD /)
  await toReview(page)
  const off = page.getByText('You’re not taking orders, so none of your ads is shown.')
  const take = page.getByRole('switch', { name: 'Take orders right away' })
  await expect(take).toBeChecked()
  await expect(off).toHaveCount(0)
  await take.click()
  await expect(off).toBeVisible()
})

test('digits are grouped while they are typed, and the caret stays', async ({ page }) => {
  await toPrice(page, /^USD /)
  const quantity = page.getByLabel('How much are you selling?')
  await quantity.pressSequentially('1234567.5')
  await expect(quantity).toHaveValue(`1${GROUP}234${GROUP}567.5`)
  const caret = (at: number) =>
    quantity.evaluate((input, to) => {
      if (input instanceof HTMLInputElement) input.setSelectionRange(to, to)
    }, at)
  await caret(3)
  await page.keyboard.type('90')
  await expect(quantity).toHaveValue(`129${GROUP}034${GROUP}567.5`)
  // Backspace and Delete next to a space take the digit on its other side.
  await caret(4)
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(quantity).toHaveValue(`12${GROUP}034${GROUP}567.5`)
  await caret(2)
  await page.keyboard.press('Delete')
  await expect(quantity).toHaveValue(`1${GROUP}234${GROUP}567.5`)
})

test('a pasted amount with separators keeps its size', async ({ page }) => {
  await toPrice(page, /^USD /)
  const quantity = page.getByLabel('How much are you selling?')
  for (const pasted of ['1,385.84', '1.385,84']) {
    await quantity.fill(pasted)
    await expect(quantity).toHaveValue(`1${GROUP}385.84`)
  }
})

test('a remark is as right or wrong as the server says', async ({ page }) => {
  const asked: string[] = []
  await page.route('**/api/common/word/valid', (route) => {
    const { word } = route.request().postDataJSON()
    asked.push(word)
    const reason = word.includes('0901')
      ? 'contact information'
      : word.includes('official')
        ? 'forbidden words'
        : null
    return fulfillWith(route, { valid: reason === null, reason })
  })
  await toPrice(page, /^USD /)
  await page.getByLabel('Price per MEC').fill('0.48')
  await page.getByLabel('How much are you selling?').fill('1000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Max' }).click()
  await page.getByRole('checkbox').first().check()
  const remark = page.getByLabel('Remark (optional)')
  for (const [text, why] of [
    ['Call 0901 234 567', 'Don’t include phone numbers, links, account names or email addresses.'],
    ['The official seller', 'The remark contains words that aren’t allowed.'],
  ] as const) {
    await remark.fill(text)
    await expect(remark).toHaveAccessibleDescription(new RegExp(why))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(remark).toBeVisible()
  }
  await remark.fill('I confirm a receipt of 15000000 VND within minutes')
  await expect(remark).not.toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Create ad' })).toBeVisible()
  expect(asked).toContain('Call 0901 234 567')
})

for (const [code, data, label] of [
  ['5022', { min: '0.5', max: '0.6' }, 'Price per MEC'],
  ['1030', { field: 'remark', reason: 'forbidden words' }, 'Remark (optional)'],
  ['400', { field: 'orderMin', reason: 'above orderMax' }, 'Minimum per order'],
  [
    '400',
    { field: 'takerRequirements.completedOrders', reason: 'not from 1 to 1000' },
    'Minimum of completed orders',
  ],
] as const) {
  test(`a refusal with ${code} is said at “${label}”`, async ({ page }) => {
    await page.route('**/api/c2c/advert/create', (route) =>
      route.fulfill({ status: 422, json: { code, message: '', data } }),
    )
    await toPrice(page, /^USD /)
    await toReview(page)
    await page.getByRole('button', { name: 'Create ad' }).click()
    const field = page.getByLabel(label)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(/./)
    await expect(page.getByRole('status').filter({ hasText: /./ })).toHaveCount(0)
    // Another value may be all right.
    await field.fill(label === 'Minimum of completed orders' ? '55' : '0.55')
    await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  })
}

test('an ad can require something of takers, which the review shows and the request says', async ({
  page,
}) => {
  let sent: unknown
  await page.route('**/api/c2c/advert/create', (route) => {
    sent = route.request().postDataJSON().takerRequirements
    const data = { field: 'takerRequirements.region', reason: 'does not use the quote' }
    return route.fulfill({ status: 422, json: { code: '400', message: '', data } })
  })
  await toPrice(page, /^USD /)
  await toReview(page)
  await page.getByRole('button', { name: 'Back', exact: true }).last().click()
  await page.getByLabel('Minimum of completed orders').fill('10')
  await page.getByLabel('Only traders with advanced verification').check()
  const region = page.getByLabel('Region of the trader')
  await region.selectOption({ label: 'Vietnam' })
  await expectToFit(page, 'requirements')
  await expectToBeAccessible(page, page.url())
  await page.getByRole('button', { name: 'Continue' }).click()
  const shown = page.getByRole('list', { name: 'Only for traders with' }).getByRole('listitem')
  await expect(shown).toHaveText(['10+ orders in 30 days', 'Advanced verification', 'Region: Vietnam'])
  await expectToBeAccessible(page, page.url())
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(region).toHaveAttribute('aria-invalid', 'true')
  await expect(region).toHaveAccessibleDescription(/./)
  expect(sent).toEqual({ completedOrders: 10, advancedVerification: true, region: 'VN' })
  await region.selectOption({ label: 'Any region' })
  await expect(region).not.toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Minimum of completed orders')).toHaveValue('10')
})

test('the price step refuses what the server says is outside the price band', async ({ page }) => {
  await page.route('**/api/c2c/advert/price*', (route) => {
    const price = new URL(route.request().url()).searchParams.get('price')
    // The band has moved since the app read the configuration.
    const band = { priceMin: '0.4', priceMax: '0.6' }
    const check = { market: '0.48', source: 'REFERENCE', rank: 1, others: 0, ...band }
    return fulfillWith(route, { ...check, distance: price === '0.7' ? '0.45' : '0', far: price === '0.7' })
  })
  await toPrice(page, /^USD /)
  const price = page.getByLabel('Price per MEC')
  await price.fill('0.7')
  await page.getByLabel('How much are you selling?').fill('1000')
  await expect(page.getByText('Check that you didn’t mistype it.')).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(price).toHaveAccessibleDescription(/At most 0\.6 USD/)
  await price.fill('0.48')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Minimum per order')).toBeVisible()
})

test('an order that asks for too much says so at the amount', async ({ page }) => {
  await page.route('**/api/c2c/deal/order', (route) =>
    route.fulfill({ status: 409, json: { code: '5008', message: '', data: { left: '1' } } }),
  )
  await page.goto('/buySell?id=a-SELL-MEC-USD-0&amount=100')
  const amount = page.getByLabel('You pay')
  await page.getByRole('button', { name: /^Buy / }).click()
  await expect(amount).toHaveAttribute('aria-invalid', 'true')
  await amount.fill('90')
  await expect(amount).not.toHaveAttribute('aria-invalid', 'true')
})

test('without a reference price, the price step does not claim that there were no trades', async ({
  page,
}) => {
  await withoutBand(page)
  await toPrice(page, /^USD /)
  await expect(page.getByText('No price limit: there is no reference price for this pair yet.')).toBeVisible()
})

test('a withdrawal without a bound address asks for one', async ({ page }) => {
  await page.route('**/api/balance', (route) =>
    fulfillWith(route, {
      custodyAddress: '0x1',
      boundAddress: null,
      serverTime: new Date().toISOString(),
      lines: [
        {
          asset: 'MEC',
          temporary: '3',
          inAdverts: '0',
          inOrders: '0',
          inFlight: '0',
          confirming: '0',
          debt: '0',
          withdrawable: false,
          arrives: null,
          blockedBy: 'address',
          gas: '0.01',
        },
      ],
    }),
  )
  await page.goto('/fundRecord')
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Withdrawals go to your bound address')
})

/** Makes the market unknown to the price band, as on most fiat pairs. */
async function withoutBand(page: Page): Promise<void> {
  await page.route('**/api/c2c/coin/config', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const pairs = data.pairs.map((pair: object) => ({ ...pair, priceMin: null, priceMax: null }))
    await route.fulfill({ json: { ...rest, data: { ...data, pairs } } })
  })
}

test('the price step shows the distance to the market and the place among the offers', async ({ page }) => {
  await toPrice(page, /^USD /)
  const line = (name: string) => page.locator('dl > div').filter({ hasText: name })
  await page.getByLabel('Price per MEC').fill('0.4917')
  await expect(line('Compared with')).toContainText('last trade 0.4821 USD')
  await expect(line('Distance from it')).toContainText('1.9% above')
  await expect(line('Place among the offers')).toContainText('4 of 12')
  await expect(page.getByText('Check that you didn’t mistype it.')).toHaveCount(0)
})

test('a mistyped price is red in the price step and in the review, and needs a tick', async ({ page }) => {
  await withoutBand(page)
  const sent: Record<string, unknown>[] = []
  await page.route('**/api/c2c/advert/create', (route) => {
    sent.push(route.request().postDataJSON())
    return fulfillWith(route, adverts[1])
  })
  await toPrice(page, /^USD /)
  const warning = page.getByText('Your price is 99% below the market. Check that you didn’t mistype it.')
  await page.getByLabel('Price per MEC').fill('0.0048')
  await expect(warning).toBeVisible()
  await page.getByLabel('How much are you selling?').fill('100000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Max' }).click()
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(warning).toBeVisible()
  const tick = page.getByRole('checkbox', { name: 'The price of 0.0048 USD is right' })
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page.getByText('Confirm the price, or go back and correct it.')).toBeVisible()
  expect(sent).toEqual([])
  await tick.check()
  await page.getByRole('button', { name: 'Create ad' }).click()
  await expect(page).toHaveURL(/\/creating\?id=/)
  expect(sent.map((body) => [body['price'], body['farPriceConfirmed']])).toEqual([['0.0048', true]])
})

test('a confirmed price must be confirmed again after it was changed', async ({ page }) => {
  await withoutBand(page)
  await toPrice(page, /^USD /)
  await toReviewAt(page, '0.0048')
  await page.getByRole('checkbox', { name: 'The price of 0.0048 USD is right' }).check()
  await page.goBack()
  await page.goBack()
  await page.getByLabel('Price per MEC').fill('0.0049')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Max' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('checkbox', { name: 'The price of 0.0049 USD is right' })).not.toBeChecked()
})
