import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import type { MatchedAdvert, Matches, Misfit } from '../src/api/types.ts'
import { fulfillWith, lacking, signIn } from './overrides.ts'

/** The ad with a reason why it doesn't fit. */
function unfit(match: MatchedAdvert, misfit: Misfit): MatchedAdvert {
  return { ...match, advert: { ...match.advert, id: misfit }, misfits: [misfit] }
}

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('an amount leads from the hall to the best ad, and in two taps to its order form', async ({ page }) => {
  await page.goto('/?base=MEC&quote=USD')
  await page.getByRole('link', { name: 'Quick trade' }).click()
  await expect(page.getByText('the ad that gives you the most MEC')).toBeVisible()
  await page.getByLabel('You pay').fill('48')
  await expect(page).toHaveURL('/adMatching?base=MEC&quote=USD&amount=48')
  await expect(page.getByText('Best ad for you')).toBeVisible()
  const received = page.getByText('You receive', { exact: true }).locator('..')
  await expect(received).toContainText(/[\d.]+ MEC$/)
  const gets = (await received.innerText()).match(/[\d.]+ MEC/)?.[0] ?? ''
  await page.getByRole('link', { name: /^Buy from / }).click()
  await expect(page).toHaveURL(/\/buySell\?id=a-SELL-MEC-USD-\d&amount=48/)
  // The order form says the same.
  await expect(page.getByText('You receive', { exact: true }).locator('..')).toContainText(gets)
})

test('an amount of coins, the side and payment methods are in the address, and survive a reload', async ({
  page,
}) => {
  await page.goto('/adMatching?base=MEC&quote=USD')
  await page.getByRole('radio', { name: 'Sell MEC' }).check({ force: true })
  await page.getByRole('button', { name: 'In MEC' }).click()
  await page.getByLabel('You sell').fill('100')
  await page.getByText('Any payment method').click()
  await page.getByRole('checkbox', { name: 'Zelle' }).check()
  await expect(page).toHaveURL(
    '/adMatching?base=MEC&quote=USD&wish=SELL&amount=100&methods=zelle&unit=quantity',
  )
  await page.reload()
  await expect(page.getByLabel('You sell')).toHaveValue('100')
  await expect(page.getByRole('link', { name: /^Sell to / })).toBeVisible()
  // Only what the best ad accepts is asked for.
  await expect(page.getByText('Only with').first()).toBeVisible()
})

test('each ad that does not fit says why, and nobody is left without a way on', async ({ page }) => {
  let change: Partial<Matches> = {}
  let found: Matches | undefined
  await page.route('**/api/c2c/advert/match', async (route) => {
    const response = await route.fetch()
    const { data }: { data: Matches } = await response.json()
    found = data
    return fulfillWith(route, { ...data, ...change })
  })
  await page.goto('/adMatching?base=MEC&quote=USD&amount=1')
  await expect(page.getByText('No ad takes all of this')).toBeVisible()
  await expect(page.getByText(/^Takes orders from [\d.,]+ USD$/).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'View all ads' })).toHaveAttribute(
    'href',
    '/?base=MEC&quote=USD',
  )
  await page.getByLabel('You pay').fill('48')
  await expect(page.getByText('Best ad for you')).toBeVisible()
  const first = found?.adverts[0]
  if (first === undefined) throw new Error('no ad')
  const all = [
    'OWN',
    'BLOCKED',
    'OFFLINE',
    'ABOVE_MAXIMUM',
    'METHOD',
    'NO_SHARED_METHOD',
    'CHAIN_TYPE',
  ] as const
  change = {
    adverts: [{ ...first, outsidePriceBand: true }, ...all.map((misfit) => unfit(first, misfit))],
    missing: [lacking('NO_HOLD', { until: '2099-01-02T03:04:00Z' }), lacking('SECURITY_PASSWORD')],
    needsPaymentMethod: true,
  }
  await page.reload()
  for (const said of [
    'This is your own ad.',
    'You’ve blocked this trader.',
    'The advertiser is offline.',
    /^Takes orders up to /,
    /^Only with /,
    /^You need a payment method of your own for /,
    'It can’t pay to the chain of your receiving address.',
    'This price is far from the current market price.',
    /^Your account details changed recently/,
  ]) {
    await expect(page.getByText(said)).toHaveCount(1)
  }
  await expect(page.getByRole('link', { name: 'Set a security password' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Add a payment method in USD/ })).toHaveAttribute(
    'href',
    /^\/creatingPayment\?currency=USD&next=/,
  )
})

test('the ads say when they cannot be read, and recover', async ({ page }) => {
  await page.route('**/api/c2c/advert/match', (route) => route.abort())
  await page.goto('/adMatching?base=MEC&quote=USD&amount=48')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unrouteAll()
  await expect(page.getByText('Best ad for you')).toBeVisible()
})

test('payment methods are chosen one by one, and the list closes when that is done', async ({ page }) => {
  await page.goto('/adMatching?base=MEC&quote=USD&amount=48')
  await page.getByText('Any payment method').click()
  await page.getByRole('checkbox', { name: 'Zelle' }).check()
  await page.getByRole('checkbox', { name: 'Bank card' }).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('checkbox', { name: 'Zelle' })).toBeHidden()
  await expect(page.locator('summary')).toBeFocused()
  await expect(page.getByText('Best ad for you')).toBeInViewport()
})

const another = (page: Page) => page.getByRole('link', { name: 'Find another ad' })

test('an ad that cannot take what was entered leads to a search for another one', async ({ page }) => {
  await page.goto('/buySell?id=a-SELL-MEC-USD-0')
  await page.getByLabel('You pay').fill('48')
  await expect(page.getByRole('button', { name: /^Buy [\d.]+ MEC$/ })).toBeEnabled()
  await expect(another(page)).toHaveCount(0)
  await page.getByLabel('You pay').fill('1')
  await expect(another(page)).toHaveAttribute(
    'href',
    '/adMatching?base=MEC&quote=USD&amount=1&id=a-SELL-MEC-USD-0',
  )
  await page.getByLabel('You pay').fill('48')
  await expect(another(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'In MEC' }).click()
  await page.getByLabel('You buy').fill('2')
  const asked = page.waitForRequest('**/api/c2c/advert/match')
  await another(page).click()
  await expect(page).toHaveURL('/adMatching?base=MEC&quote=USD&amount=2&unit=quantity&id=a-SELL-MEC-USD-0')
  expect((await asked).postDataJSON()).toMatchObject({ quantity: '2', advertId: 'a-SELL-MEC-USD-0' })
  await expect(page.getByLabel('You buy')).toHaveValue('2')
})

test('so does an ad that is offline, or whose advertiser requires something else', async ({ page }) => {
  const offline = { code: '5010', message: '', data: null }
  await page.route('**/api/c2c/deal/order', (route) => route.fulfill({ status: 409, json: offline }))
  await page.goto('/buySell?id=a-SELL-MEC-USD-0')
  await page.getByLabel('You pay').fill('48')
  await page.getByRole('button', { name: /^Buy [\d.]+ MEC$/ }).click()
  await expect(another(page)).toBeVisible()
  await page.route('**/api/c2c/advert/a-SELL-MEC-USD-0', async (route) => {
    const { data } = await (await route.fetch()).json()
    const takerRequirements = { completedOrders: null, advancedVerification: false, region: 'KR' }
    return fulfillWith(route, { ...data, takerRequirements, unmet: ['REGION'] })
  })
  await page.reload()
  await expect(page.getByText('You don’t meet what the advertiser requires')).toBeVisible()
  await expect(another(page)).toBeVisible()
  await page.goto('/buySell?id=a-SELL-MEC-USD-99')
  await expect(page.getByText('This ad isn’t available')).toBeVisible()
  await expect(another(page)).toHaveAttribute('href', '/adMatching?id=a-SELL-MEC-USD-99')
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => one.id)).toEqual([])
})
