import { expect, type Page, test } from '@playwright/test'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const ALL = '/?quote=USDT&wish=NFT'
const HALL = '/?base=ART&quote=USDT&wish=NFT'

const cards = (page: Page) => page.getByRole('list', { name: 'NFTs' }).getByRole('link')

test('the home page leads to the NFTs, and back to the coins that were shown before', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Pair' }).selectOption('MEC/USDT')
  await page.getByRole('radio', { name: 'NFTs' }).check({ force: true })
  await expect(page).toHaveURL(ALL)
  const first = cards(page).first()
  await expect(first).toContainText('64 USDT')
  await expect(first).toContainText('Mecha Gardens #200')
  await expect(cards(page).nth(1)).toContainText('Tide Lines #200')
  await expect(first).toContainText('MinhTrader')
  await expect(first.getByRole('img', { name: 'Picture of Glass Poppy No. 200' })).toBeVisible()
  await expect(first).toHaveAttribute('href', '/nft/purchaseOrder?adId=a-SELL-ART-USDT-0')
  await expect(page.getByRole('region', { name: 'Market' })).toHaveText(
    /NFT average price, 24h\s*118.737 USDT/,
  )
  await page.getByRole('radio', { name: 'Sell' }).check({ force: true })
  await expect(page).toHaveURL('/?base=MEC&quote=USDT&wish=SELL')
  await expect(page.getByRole('combobox', { name: 'Pair' })).toHaveValue('MEC/USDT')
  // Coins and NFTs are chosen in different places.
  await expect(page.getByRole('combobox', { name: 'Pair' }).getByText('ART')).toHaveCount(0)
})

test('the address keeps the order of the NFTs', async ({ page }) => {
  await page.goto(HALL)
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('Price, high to low')
  await expect(page).toHaveURL(`${HALL}&sort=-price`)
  await expect(cards(page).first()).toContainText('383 USDT')
  await page.reload()
  await expect(cards(page).first()).toContainText('383 USDT')
})

test('more NFTs are loaded at the end of the list', async ({ page }) => {
  await page.goto(HALL)
  await expect(cards(page)).toHaveCount(24)
  await cards(page).last().scrollIntoViewIfNeeded()
  await expect(cards(page)).toHaveCount(45)
  await expect(page.getByText('No more records')).toBeVisible()
})

test('an NFT without a picture says why, and so does one whose picture cannot be loaded', async ({
  page,
}) => {
  await page.route('**/api/c2c/advert/page?*', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    data.records[0].nft.picture = { small: '/nowhere.png', large: '/nowhere.png' }
    return fulfillWith(route, data)
  })
  await page.goto(HALL)
  await expect(
    page.getByRole('img', { name: 'No picture of Glass Poppy No. 200: It couldn’t be loaded.' }),
  ).toBeVisible()
  await expect(
    page.getByRole('img', { name: /^No picture of .*: Its address leads to a web page\.$/ }),
  ).toBeVisible()
  await expect(page.getByText('Its address leads to a web page.')).toBeVisible()
})

/** Opens what narrows the list: beside it at 1280 px, in a sheet at 390 px. */
async function filters(page: Page, width: number) {
  if (width > 1000) return page.getByRole('complementary', { name: 'Filters' })
  await page.getByRole('button', { name: /^Filters/ }).click()
  return page.getByRole('dialog', { name: 'Filters' })
}

for (const width of [390, 1280]) {
  test(`NFTs are narrowed by price, album and traits at a width of ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(ALL)
    let panel = await filters(page, width)
    await expect(panel.getByText('Choose an album to filter by its traits.')).toBeVisible()
    await panel.getByLabel('From', { exact: true }).fill('70')
    await expect(page).toHaveURL(`${ALL}&priceMin=70`)
    await panel.getByLabel('To').fill('60')
    await expect(panel.getByText('The highest price is below the lowest.')).toBeVisible()
    await panel.getByLabel('To').fill('80')
    await expect(page).toHaveURL(`${ALL}&priceMin=70&priceMax=80`)
    if (width === 390) await panel.getByRole('button', { name: 'Show 4 NFTs' }).click()
    await expect(cards(page)).toHaveCount(4)
    await page.getByRole('combobox', { name: 'Album' }).selectOption('Mecha Gardens')
    await expect(cards(page)).toHaveCount(2)
    const chips = page.getByRole('list', { name: 'Filters in effect' }).getByRole('button')
    await expect(chips).toHaveText(['70 – 80 USDT'])
    await page.getByRole('button', { name: 'Remove the filter 70 – 80 USDT' }).click()
    await expect(cards(page)).toHaveCount(24)

    panel = await filters(page, width)
    await panel.locator('summary', { hasText: 'Season' }).click()
    await panel.getByRole('checkbox', { name: /^Spring/ }).check()
    await panel.getByRole('checkbox', { name: /^Summer/ }).check()
    await panel.locator('summary', { hasText: 'Weather' }).click()
    await panel.getByRole('checkbox', { name: /^Rain/ }).check()
    const traits = JSON.stringify([
      ['Season', 'Spring'],
      ['Season', 'Summer'],
      ['Weather', 'Rain'],
    ])
    await expect(page).toHaveURL(`${HALL}&traits=${encodeURIComponent(traits)}`)
    // What is open stays open when nothing of it is chosen any more.
    await panel.getByRole('checkbox', { name: /^Rain/ }).uncheck()
    await panel.getByRole('checkbox', { name: /^Rain/ }).check()
    if (width === 390) await panel.getByRole('button', { name: 'Show 8 NFTs' }).click()
    await expect(cards(page)).toHaveCount(8)
    await expect(chips).toHaveText(['Season: Spring', 'Season: Summer', 'Weather: Rain'])
    await page.reload()
    await expect(cards(page)).toHaveCount(8)
    await page.getByRole('button', { name: 'Remove the filter Season: Summer' }).click()
    await expect(chips).toHaveText(['Season: Spring', 'Weather: Rain'])
    const rain = page.getByRole('button', { name: 'Remove the filter Weather: Rain' })
    await expect(rain).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Remove the filter Season: Spring' })).toBeFocused()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await expect(page).toHaveURL(ALL)
    await expect(chips).toHaveCount(0)
  })
}

test('NFTs are filtered by their sellers', async ({ page }) => {
  await page.goto(ALL)
  const panel = await filters(page, 390)
  await panel.getByLabel('Region').selectOption('Spain')
  await panel.getByRole('switch', { name: 'Certified traders only' }).click()
  await panel.getByRole('switch', { name: 'Fast traders only' }).click()
  await panel.getByRole('switch', { name: 'Only ads I can order from' }).click()
  await expect(page).toHaveURL(`${ALL}&region=ES&certified=true&fast=true&requirementsMet=true`)
  await page.keyboard.press('Escape')
  const chips = page.getByRole('list', { name: 'Filters in effect' }).getByRole('listitem')
  await expect(chips).toHaveText(['Spain', 'Certified traders', 'Fast traders', 'Ads I can order from'])
  await expect(page.getByRole('button', { name: 'Filters, 4 in effect' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove the filter Ads I can order from' }).click()
  await page.getByRole('button', { name: 'Remove the filter Spain' }).click()
  await expect(page).toHaveURL(`${ALL}&certified=true&fast=true`)
})

test('a price that is being typed keeps its point, and is not lost with the sheet', async ({ page }) => {
  await page.goto(ALL)
  const panel = await filters(page, 390)
  const from = panel.getByLabel('From', { exact: true })
  await from.fill('70.')
  await expect(page).toHaveURL(`${ALL}&priceMin=70`)
  await expect(from).toHaveValue('70.')
  await from.press('5')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(`${ALL}&priceMin=70.5`)
})

test('a range of prices that makes no sense is described at both of its fields', async ({ page }) => {
  await page.goto(`${ALL}&priceMin=70`)
  const panel = await filters(page, 390)
  await expect(panel.getByLabel('To')).not.toHaveAttribute('aria-describedby')
  await panel.getByLabel('To').fill('60')
  for (const name of ['From', 'To'])
    await expect(panel.getByLabel(name, { exact: true })).toHaveAccessibleDescription(
      'The highest price is below the lowest.',
    )
})

test('the traits say when as many as possible are chosen', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 844 })
  const many = Array.from({ length: 30 }, (_, index) => ['Season', `Season ${index}`])
  await page.goto(`${HALL}&traits=${encodeURIComponent(JSON.stringify(many))}`)
  const panel = page.getByRole('complementary', { name: 'Filters' })
  await expect(panel.getByText('You’ve chosen 30 values, the maximum.')).toBeVisible()
  await expect(panel.getByRole('checkbox', { name: /^Spring/ })).toBeDisabled()
  await page.getByRole('button', { name: 'Remove the filter Season: Season 7' }).click()
  await expect(panel.getByText('You’ve chosen 30 values')).toHaveCount(0)
  await expect(panel.getByRole('checkbox', { name: /^Spring/ })).toBeEnabled()
})

test('the list is counted where it is read, and phones have the filters once', async ({ page }) => {
  const sizes: (string | null)[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/c2c/advert/page')) sizes.push(url.searchParams.get('size'))
  })
  await page.goto(HALL)
  const panel = await filters(page, 390)
  await expect(panel.getByRole('button', { name: 'Show 45 NFTs' })).toBeVisible()
  expect(new Set(sizes)).toEqual(new Set(['24']))
  await expect(page.locator('summary').filter({ hasText: 'Season' })).toHaveCount(1)
})

test('the filters of coins lead to those of NFTs', async ({ page }) => {
  await page.goto(HALL.replace('/', '/filters'))
  await expect(page).toHaveURL(HALL)
  await expect(cards(page).first()).toBeVisible()
})

test('the order and the quote of NFTs are chosen above the list', async ({ page }) => {
  await page.goto(ALL)
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('Newest first')
  await expect(page).toHaveURL(`${ALL}&sort=newest`)
  await page.getByRole('combobox', { name: 'Paid in' }).selectOption('USD')
  await expect(page).toHaveURL('/?quote=USD&wish=NFT&sort=newest')
  await expect(cards(page)).toHaveCount(4)
  // The album is only sold for USDT.
  await page.getByRole('combobox', { name: 'Album' }).selectOption('Tide Lines')
  await expect(page).toHaveURL('/?base=TIDE&quote=USDT&wish=NFT&sort=newest')
})

test('an empty list says whether it is the filters, and leads to selling', async ({ page }) => {
  await page.goto(`${HALL}&priceMin=100000`)
  await expect(page.getByText('No matching ads')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(ALL)
  await expect(cards(page).first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Album' }).selectOption('Tide Lines')
  await expect(page.getByRole('region', { name: 'Market' })).toContainText('No trades in the last 24 hours')
  await page.route('**/api/c2c/advert/page?*', (route) =>
    fulfillWith(route, { records: [], total: 0, page: 1, size: 24 }),
  )
  await page.goto('/?quote=USD&wish=NFT')
  await expect(page.getByText('No ads yet')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Post an ad' })).toHaveAttribute(
    'href',
    '/publish?side=SELL',
  )
})

test('NFTs that cannot be loaded say so, and are loaded again', async ({ page }) => {
  await page.route('**/api/c2c/advert/page?*', (route) =>
    route.fulfill({ status: 404, json: { code: '5002', message: '', data: null } }),
  )
  await page.goto(HALL)
  await expect(page.getByText('Couldn’t load this')).toBeVisible()
  await page.unroute('**/api/c2c/advert/page?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(cards(page).first()).toBeVisible()
})

for (const [width, columns] of [
  [390, 2],
  [1280, 4],
] as const) {
  test(`the grid has ${columns} columns at a width of ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(HALL)
    await expect(cards(page).first()).toBeVisible()
    const tops = await cards(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    expect(tops.filter((top) => top === tops[0])).toHaveLength(columns)
  })
}

test('on a phone, the button for the filters is never alone in a row', async ({ page, context }) => {
  for (const language of ['en', 'zh_CN']) {
    await context.addCookies([{ name: 'me_lang', value: language, url: 'http://127.0.0.1' }])
    await page.goto(ALL)
    const sort = page.getByRole('combobox', { name: language === 'en' ? 'Sort' : '排序' })
    const filters = page.getByRole('button', { name: language === 'en' ? 'Filters' : '筛选', exact: true })
    for (const width of [360, 375, 390, 412, 430]) {
      await page.setViewportSize({ width, height: 844 })
      const [choice, button] = await Promise.all([sort.boundingBox(), filters.boundingBox()])
      expect(Math.round(button?.y ?? 0), `${language} at ${width}`).toBe(Math.round(choice?.y ?? -1))
    }
  }
})
