import { expect, test, type WebSocketRoute } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { orders } from '../mock/orders.ts'
import { balance } from '../mock/wallet.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test('the order button in its initial position covers no ad text at any scroll position', async ({
  page,
}) => {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/')
    const button = page.getByRole('button', { name: /^Unfinished orders/ })
    const place = await button.boundingBox()
    const ads = page.getByRole(width === 390 ? 'list' : 'table', { name: 'Ads' })
    await expect(ads.getByRole('link').first()).toBeVisible()
    const across = await ads.evaluate((list) =>
      Array.from(list.querySelectorAll('p > span, dd, dt, td span, a'), (one) => {
        const { left, right } = one.getBoundingClientRect()
        return { text: one.textContent, left, right }
      }),
    )
    expect(across.length).toBeGreaterThan(30)
    const left = place?.x ?? 0
    const right = left + (place?.width ?? 0)
    expect(across.filter((one) => one.left < right && one.right > left)).toEqual([])
  }
})

test('outside the hall, the order button is docked at the edge', async ({ page }) => {
  for (const path of [
    '/buySell?id=a-SELL-MEC-USD-0&amount=48',
    '/creating?id=ad-3',
    '/personalCenter',
    '/fundRecord',
    '/myAdvert',
    '/updateReceivingAddress',
  ]) {
    await page.goto(path)
    const button = page.getByRole('button', { name: /^Unfinished orders/ })
    await expect(button).toBeVisible()
    const edge = (await button.boundingBox())?.x ?? 0
    // Everything to the left of the button stays readable while scrolling.
    const room = await page.evaluate(() => document.body.getBoundingClientRect().width)
    expect(room - edge, path).toBeLessThanOrEqual(32)
    expect(room - edge, path).toBeGreaterThanOrEqual(24)
  }
})

test('the order button resets its position when the layout or language changes', async ({ page }) => {
  await page.goto('/personalCenter')
  const button = page.getByRole('button', { name: /^Unfinished orders|^\p{Script=Han}+：?\d+/u })
  const start = await button.boundingBox()
  const drag = async () => {
    const { x = 0, y = 0 } = (await button.boundingBox()) ?? {}
    await page.mouse.move(x + 8, y + 28)
    await page.mouse.down()
    await page.mouse.move(60, 200, { steps: 4 })
    // Hold the button for longer than a tap.
    await expect.poll(async () => (await button.boundingBox())?.y).toBeLessThan(250)
    await page.waitForFunction(
      (since) => performance.now() - since > 250,
      await page.evaluate(() => performance.now()),
    )
    await page.mouse.up()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('order_button_position'))).not.toBeNull()
  }
  await drag()
  await page.setViewportSize({ width: 1280, height: 844 })
  await expect.poll(() => page.evaluate(() => localStorage.getItem('order_button_position'))).toBeNull()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => button.boundingBox()).toEqual(start)
  await drag()
  await page.getByRole('button', { name: /^Language/ }).click()
  await page.getByRole('button', { name: '简体中文' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await expect.poll(() => button.boundingBox()).toEqual(start)
})

test('the order button has a dot while there is news, until it is read', async ({ page }) => {
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket('**/api/fiat/*', (route) => {
    sockets.push(route)
  })
  let unreadMessages = 0
  await page.route('**/api/c2c/deal/order/page*', (route) => {
    const one = orders.find(({ id }) => id === 'o-pay')
    return fulfillWith(route, { records: [{ ...one, unreadMessages }], total: 1, page: 1, size: 20 })
  })
  page.on('request', (request) => {
    if (request.url().includes('/user/fiat/talk/read/o-pay')) unreadMessages = 0
  })
  const button = page.getByRole('button', { name: /^Unfinished orders: 1/ })
  // The first is the number of orders.
  const dot = button.locator('span').nth(1)
  await page.goto('/paymentMethod')
  await expect(button).toHaveAccessibleName('Unfinished orders: 1')
  await expect(dot).toHaveCount(0)
  await expect.poll(() => sockets.length).toBe(1)
  unreadMessages = 1
  const message = JSON.stringify({ orderId: 'o-pay', notice: 'ORDER_PAID' })
  sockets[0]?.send(JSON.stringify({ type: 'ORDER_STATUS_CHANGE', message, number: 1 }))
  await expect(button).toHaveAccessibleName('Unfinished orders: 1, with news')
  await expect(dot).toBeVisible()
  await page.getByRole('button', { name: /^Menu/ }).click()
  await page.getByRole('link', { name: /^Chat/ }).click()
  await page.getByRole('list', { name: 'Chats' }).locator('a[href="/chat?id=o-pay"]').click()
  await expect.poll(() => unreadMessages).toBe(0)
  await page.goBack()
  await page.goBack()
  await expect(button).toHaveAccessibleName('Unfinished orders: 1')
  await expect(dot).toHaveCount(0)
})

test('a changed credit score is marked on the menu and the personal center link', async ({ page }) => {
  await page.goto('/paymentMethod')
  await page.evaluate(() => localStorage.setItem('isCreditChange', 'true'))
  await page.reload()
  await page.getByRole('button', { name: 'Menu, your credit score changed' }).click()
  await page.getByRole('link', { name: 'Personal center your credit score changed' }).click()
  await expect(page).toHaveURL(/\/personalCenter$/)
  // The page shows the score, so it is no longer news. The address can change before the page does.
  await expect(page.getByText('Orders (30 days)')).toBeVisible()
  await page.goBack()
  await page.reload()
  await expect(page.getByRole('button', { name: /^Menu/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /your credit score changed/ })).toHaveCount(0)
})

test('the market shows 24-hour figures, and its filter accepts long amounts', async ({ page }) => {
  await page.goto('/')
  const market = page.getByRole('region', { name: 'Market' })
  await market.locator('summary').click()
  await expect(market.getByText('24h average').locator('..')).toContainText('0.4831')
  await expect(market.getByText('24h turnover').locator('..')).toContainText('619.2K USD')
  await page.getByRole('textbox', { name: 'Amount' }).fill('123456789012')
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('123456789012')
})

test('the details of the user’s own ad show its ID, creation time, remark and requirements', async ({
  page,
}) => {
  const takerRequirements = { completedOrders: 10, advancedVerification: true, region: 'VN' }
  await page.route('**/api/c2c/advert/pageByUser*', (route) =>
    fulfillWith(route, {
      records: [{ ...adverts[0], remark: 'Fast and friendly.', takerRequirements }],
      total: 1,
      page: 1,
      size: 20,
    }),
  )
  await page.goto('/myAdvert')
  const ad = page.getByRole('list', { name: 'My ads' }).getByRole('listitem').first()
  await ad.getByRole('button', { name: 'Details' }).click()
  await expect(ad.getByText('Fast and friendly.')).toBeVisible()
  const required = ad.getByRole('list', { name: 'Only for traders with' })
  await expect(required.getByRole('listitem')).toHaveText([
    '10+ orders in 30 days',
    'Advanced verification',
    'Region: Vietnam',
  ])
  await expect(ad.getByText('Created')).toBeVisible()
  await expect(ad.getByRole('button', { name: 'Copy ad ID' })).toBeVisible()
})

test('the personal center shows a shortened address without truncation, with its chain', async ({ page }) => {
  await page.goto('/personalCenter')
  const address = page.getByText('0x2Bd5e8…Ee3b91D6 · ERC20')
  await expect(address).toBeVisible()
  expect(await address.evaluate((one) => one.scrollWidth <= one.clientWidth || one.clientWidth === 0)).toBe(
    true,
  )
})

test('a user with a debt after a reorganization sees the amount and the reason', async ({ page }) => {
  const [first] = balance.lines
  await page.route('**/api/balance', (route) =>
    fulfillWith(route, { ...balance, lines: [{ ...first, asset: 'USDT', temporary: '0', debt: '4.64' }] }),
  )
  await page.goto('/fundRecord')
  await expect(page.getByText(/^You owe 4.64 USDT: your deposit was reversed on-chain/)).toBeVisible()
})

test('the frame and the order follow a switch of the language', async ({ page }) => {
  const switchTo = async (name: string) => {
    await page.getByRole('button', { name: /^(Language|语言)/ }).click()
    await page.getByRole('button', { name, exact: true }).click()
  }
  await page.goto('/orderDetail?id=o-pay')
  const title = page.getByRole('banner').getByText(/^(Order|订单详情|订单)$/)
  const tabs = page.locator('nav').getByRole('link', { includeHidden: true })
  const state = page.locator('main').getByRole('heading', { includeHidden: true }).first()
  const menu = page.getByRole('dialog')
  const rows = async (name: RegExp) => {
    await page.getByRole('button', { name }).click()
    await expect(menu.getByRole('link')).not.toHaveCount(0)
    const texts = await menu.getByRole('link').allTextContents()
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
    return texts
  }
  await expect(title).toHaveText('Order')
  // The rows also say how many messages are unread, once that is known.
  await expect(page.getByRole('button', { name: 'Menu, unread messages: 1' })).toBeVisible()
  const english = [...(await tabs.allTextContents()), ...(await rows(/^Menu/))]
  expect(english.length).toBeGreaterThan(8)
  await switchTo('简体中文')
  await expect(title).toHaveText(/\p{Script=Han}/u)
  await expect(state).toHaveText(/^\p{Script=Han}/u)
  const chinese = [...(await tabs.allTextContents()), ...(await rows(/^菜单/))]
  for (const text of chinese) expect(text).toMatch(/\p{Script=Han}/u)
  await switchTo('English')
  await expect(title).toHaveText('Order')
  await expect(state).not.toHaveText(/\p{Script=Han}/u)
  expect([...(await tabs.allTextContents()), ...(await rows(/^Menu/))]).toEqual(english)
})
