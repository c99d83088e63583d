import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import type { MatchedAdvert, Matches, Misfit } from '../src/api/types.ts'
import { expectToBeAccessible } from './expectToBeAccessible.ts'
import { expectToFit } from './expectToFit.ts'
import { fulfillWith, lacking, signIn } from './overrides.ts'

/** The ad with a reason why it doesn't fit. */
function unfit(match: MatchedAdvert, misfit: Misfit): MatchedAdvert {
  return { ...match, advert: { ...match.advert, id: misfit }, misfits: [misfit] }
}

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('quick trade opens in the hall, and shows the best ad, two taps from its order', async ({ page }) => {
  await page.goto('/?base=MEC&quote=USD')
  const toggle = page.getByRole('button', { name: 'Quick trade' })
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await toggle.click()
  const trade = page.getByRole('region', { name: 'Quick trade' })
  await expect(trade.getByText('the ad that gives you the most MEC')).toBeVisible()
  const asked = page.waitForRequest('**/api/c2c/advert/match')
  await trade.getByLabel('You pay').fill('48')
  expect((await asked).postDataJSON()).toEqual({
    side: 'SELL',
    base: 'MEC',
    quote: 'USD',
    amount: '48',
    methods: [],
  })
  await expect(trade.getByText('Best ad for you')).toBeVisible()
  const received = trade.getByText('You receive', { exact: true }).locator('..')
  await expect(received).toContainText(/[\d.]+ MEC$/)
  // The hall itself stays as it was.
  await expect(page).toHaveURL('/?base=MEC&quote=USD')
  await expectToBeAccessible(page, 'quick trade in the hall')
  const gets = (await received.innerText()).match(/[\d.]+ MEC/)?.[0] ?? ''
  await trade.getByRole('link', { name: /^Buy from / }).click()
  await expect(page).toHaveURL(/\/buySell\?id=a-SELL-MEC-USD-\d&amount=48/)
  // The order form says the same.
  await expect(
    page.getByText('You receive', { exact: true }).filter({ visible: true }).locator('..'),
  ).toContainText(gets)
  // What was entered is still there.
  await page.goBack()
  await expect(trade.getByLabel('You pay')).toHaveValue('48')
  await toggle.click()
  await expect(trade).toHaveCount(0)
})

test('quick trade in the hall follows its side and pair, and leads to all ads for the amount', async ({
  page,
}) => {
  await page.goto('/?base=MEC&quote=USD&wish=SELL&amount=48&methods=zelle')
  await page.getByRole('button', { name: 'Quick trade' }).click()
  const trade = page.getByRole('region', { name: 'Quick trade' })
  // It begins with what the hall is filtered by.
  await expect(trade.getByLabel('You receive')).toHaveValue('48')
  await expect(trade.getByText('Zelle').first()).toBeVisible()
  await expect(trade.getByRole('link', { name: /^Sell to / })).toBeVisible()
  await page.getByRole('radio', { name: 'Buy' }).check({ force: true })
  await expect(trade.getByLabel('You pay')).toHaveValue('48')
  await expect(trade.getByRole('link', { name: /^Buy from / })).toBeVisible()
  await trade.getByLabel('You pay').fill('1')
  await expect(trade.getByText('No ad takes all of this')).toBeVisible()
  await trade.getByRole('link', { name: 'Why the ads don’t fit' }).click()
  await expect(page).toHaveURL('/adMatching?base=MEC&quote=USD&amount=1&methods=zelle')
  await page.goBack()
  await trade.getByLabel('You pay').fill('48')
  await trade.getByRole('link', { name: 'Compare all ads' }).click()
  await expect(page).toHaveURL('/adMatching?base=MEC&quote=USD&amount=48&methods=zelle')
  await page.goBack()
  await page.getByRole('combobox', { name: 'Pair' }).selectOption('MEC/EUR')
  await expect(trade.getByLabel('You pay')).toHaveValue('')
})

test('quick trade in the hall says what the user lacks, and recovers from a failure', async ({ page }) => {
  await page.route('**/api/c2c/advert/match', (route) => route.abort())
  await page.goto('/?base=MEC&quote=USD&amount=48')
  await page.getByRole('button', { name: 'Quick trade' }).click()
  const trade = page.getByRole('region', { name: 'Quick trade' })
  await expect(trade.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/api/c2c/advert/match')
  await page.route('**/api/c2c/advert/match', async (route) => {
    const { data } = await (await route.fetch()).json()
    return fulfillWith(route, { ...data, missing: [lacking('SECURITY_PASSWORD')] })
  })
  await trade.getByRole('button', { name: 'Try again' }).click()
  await expect(trade.getByRole('link', { name: 'Set a security password' })).toBeVisible()
})

for (const width of [1024, 1280]) {
  test(`quick trade is above the table at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/?base=MEC&quote=USD')
    const trade = page.getByRole('region', { name: 'Quick trade' })
    await expect(trade.getByRole('heading', { name: 'Quick trade' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Quick trade' })).toHaveCount(0)
    const table = page.getByRole('table', { name: 'Ads' })
    await expect(table).toBeVisible()
    const [above, below] = [await trade.boundingBox(), await table.boundingBox()]
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
    await trade.getByLabel('You pay').fill('48')
    await trade.getByText('Any payment method').click()
    await trade.getByRole('checkbox', { name: 'Zelle' }).check()
    await expect(trade.getByText('Best ad for you')).toBeVisible()
    await expectToFit(page, 'quick trade')
    await expectToBeAccessible(page, 'quick trade')
    await trade.getByRole('link', { name: /^Buy from / }).click()
    await expect(page).toHaveURL(/\/buySell\?id=a-SELL-MEC-USD-\d&amount=48/)
  })
}

test('an amount at its own address leads in two taps to the order form', async ({ page }) => {
  await page.goto('/adMatching?base=MEC&quote=USD')
  await page.getByLabel('You pay').fill('48')
  await expect(page).toHaveURL('/adMatching?base=MEC&quote=USD&amount=48')
  await page.getByRole('link', { name: /^Buy from / }).click()
  await expect(page).toHaveURL(/\/buySell\?id=a-SELL-MEC-USD-\d&amount=48/)
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
