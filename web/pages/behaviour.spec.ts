import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Request, test } from '@playwright/test'
import { orders } from '../mock/orders.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }, info) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  if (info.title.startsWith('without a session')) return
  await signIn(context)
})

// Pages still poll when a test ends; routes in progress must not fail it.
test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test('without a session, a protected page redirects to the login page and is kept as the next page', async ({
  page,
}) => {
  await page.goto('/orderDetail?id=o-pay')
  await expect(page).toHaveURL(/\/login\?next=/)
  expect(new URL(page.url()).searchParams.get('next')).toBe('/orderDetail?id=o-pay')
})

test('without a session, a user can log in with the keyboard alone, including the slide check', async ({
  page,
}) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill('maria@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('Secret 123!')
  await page.keyboard.press('Enter')
  const slider = page.getByRole('slider', { name: 'Position of the puzzle piece' })
  await slider.focus()
  await page.keyboard.press('PageUp')
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  expect(await slider.inputValue()).toBe('47')
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => one.id)).toEqual([])
  await page.getByRole('button', { name: 'Verify', exact: true }).press('Enter')
  await expect(page.getByText('MinhTrader').first()).toBeVisible()
})

test('without a session, a user who cannot see the picture can log in with proof of work', async ({
  page,
}) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill('maria@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('Secret 123!')
  await page.keyboard.press('Enter')
  const alone = page.getByRole('button', { name: 'Verify without the picture' })
  await expect(alone).toBeVisible()
  const sent = page.waitForRequest('**/api/user/login')
  await alone.press('Enter')
  expect((await sent).postDataJSON()).toMatchObject({ slideToken: 'worked' })
  await expect(page.getByText('MinhTrader').first()).toBeVisible()
})

test('without a session, a query parameter sets the language for this page and the next', async ({
  page,
}) => {
  await page.goto('/login?lang=zh_CN')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  await page.goto('/register')
  await expect(page.getByText('验证您的身份')).toBeVisible()
})

test('the hall keeps its scroll position and filters while the user views orders', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByText('MinhTrader').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Amount' }).fill('48')
  await page.evaluate(() => scrollTo(0, 900))
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(900)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByText('Unfinished')).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(900)
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('48')
})

test('an order at a changed price requires confirmation', async ({ page }) => {
  await page.goto('/buySell?id=a-SELL-MEC-USD-0')
  await page.getByRole('button', { name: 'In MEC' }).click()
  await page.getByLabel('You buy').fill('70')
  await page.getByRole('button', { name: 'Buy 70 MEC' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The price changed' })).toContainText('0.4851')
  await page.getByRole('button', { name: 'Continue at 0.4851 USD' }).click()
  await expect(page.getByRole('button', { name: 'Buy 70 MEC' })).toBeVisible()
})

test('an order whose fee has changed shows the new fee and requires confirmation', async ({ page }) => {
  let fee = '0.06'
  const sent: unknown[] = []
  await page.route('**/api/c2c/advert/*/preview*', (route) =>
    fulfillWith(route, {
      price: '0.48',
      quantity: '60',
      total: '28.8',
      fee,
      receives: String(60 - Number(fee)),
      outsidePriceBand: false,
      prefunding: null,
    }),
  )
  await page.route('**/api/c2c/deal/order', (route) => {
    const body: { fee: string } = route.request().postDataJSON()
    sent.push(body.fee)
    if (body.fee === '0.5')
      return fulfillWith(
        route,
        orders.find((one) => one.id === 'o-accept'),
      )
    fee = '0.5'
    return route.fulfill({ status: 409, json: { code: '5051', message: 'Fee changed', data: { fee } } })
  })
  await page.goto('/buySell?id=a-SELL-MEC-USD-0')
  await page.getByRole('button', { name: 'In MEC' }).click()
  await page.getByLabel('You buy').fill('60')
  await expect(page.getByText('59.94 MEC')).toBeVisible()
  await page.getByRole('button', { name: 'Buy 60 MEC' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The fee has changed' })).toBeVisible()
  await expect(page.getByText('59.5 MEC')).toBeVisible()
  // A double tap must not accept the new fee.
  await expect(page.getByRole('button', { name: 'Buy 60 MEC' })).toBeHidden()
  await page.getByRole('button', { name: 'Continue with the new fee' }).click()
  await page.getByRole('button', { name: 'Buy 60 MEC' }).click()
  await expect(page).toHaveURL(/orderDetail/)
  expect(sent).toEqual(['0.06', '0.5'])
})

test('who must prefund an order sees what is needed, what is missing and where to send it', async ({
  page,
}) => {
  let shortfall = '8.8'
  const address = `0x${'4'.repeat(40)}`
  await page.route('**/api/c2c/advert/*/preview*', (route) =>
    fulfillWith(route, {
      price: '0.48',
      quantity: '60',
      total: '28.8',
      fee: '0.06',
      receives: '59.94',
      outsidePriceBand: true,
      prefunding: { asset: 'USDT', needed: '28.8', available: '20', shortfall, address },
    }),
  )
  await page.goto('/buySell?id=a-SELL-MEC-USD-0')
  await page.getByRole('button', { name: 'In MEC' }).click()
  await page.getByLabel('You buy').fill('60')
  await expect(page.getByText('you need the whole amount in your temporary balance first')).toBeVisible()
  await expect(page.getByText('8.8 USDT', { exact: true })).toBeVisible()
  await expect(page.getByText('This price is far from the current market price')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy Send it to' })).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => one.id)).toEqual([])
  shortfall = '0'
  await page.getByLabel('You buy').fill('61')
  await expect(
    page.getByText('this order takes the whole amount at once from your temporary balance'),
  ).toBeVisible()
  // The coins are spent at once, so the order needs the security password.
  await page.getByRole('button', { name: 'Buy 61 MEC' }).click()
  await expect(page.getByText('Enter your security password.')).toBeVisible()
  await page.getByLabel('Security password').fill('Secret 123!')
  const sent = page.waitForRequest('**/api/c2c/deal/order')
  await page.getByRole('button', { name: 'Buy 61 MEC' }).click()
  expect((await sent).postDataJSON().securityCode.cipher).toBeTruthy()
  await expect(page).toHaveURL(/orderDetail/)
})

test('an order cannot be placed while its fee is unknown', async ({ page }) => {
  await page.route('**/api/c2c/advert/*/preview*', (route) =>
    route.fulfill({ status: 400, json: { code: '400', message: '', data: null } }),
  )
  await page.goto('/buySell?id=a-SELL-MEC-USD-0')
  await page.getByRole('button', { name: 'In MEC' }).click()
  await page.getByLabel('You buy').fill('60')
  await expect(page.getByText('The fee can’t be loaded right now')).toBeVisible()
  await page.getByRole('button', { name: 'Buy 60 MEC' }).click()
  await expect(page).toHaveURL(/buySell/)
})

test('marking an order as paid shows a warning, then waits for the seller', async ({ page }) => {
  await page.goto('/orderDetail?id=o-paying')
  await page.getByRole('button', { name: 'I have paid' }).click()
  await expect(page.getByText('Marking an order as paid when you haven’t')).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => one.id)).toEqual([])
  await page.getByRole('button', { name: /Yes, I’ve paid/ }).click()
  await expect(page.getByRole('heading', { name: /Waiting for the seller to confirm/ })).toBeVisible()
})

test('a release requires a confirmation checkbox and the security password', async ({ page }) => {
  await page.goto('/orderDetail?id=o-releasing')
  await page.getByRole('button', { name: 'Payment received' }).click()
  await page.getByRole('button', { name: 'Release 100 MEC' }).click()
  await expect(page.getByText('Check your account first.')).toBeVisible()
  await page.getByRole('checkbox').check()
  await page.getByRole('textbox', { name: 'Security password' }).fill('my second secret')
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => one.id)).toEqual([])
  await page.getByRole('button', { name: 'Release 100 MEC' }).click()
  await expect(page.getByRole('heading', { name: /Sending the coins to the buyer/ })).toBeVisible()
})

test('the menu opens, and closes on Escape', async ({ page }) => {
  await page.goto('/paymentMethod')
  const opener = page.getByRole('button', { name: 'Menu' })
  await opener.click()
  await expect(page.getByRole('link', { name: 'My ads' })).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => one.id)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'My ads' })).toBeHidden()
})

test('an offline page shows a notice and recovers automatically', async ({ page, context }) => {
  await page.goto('/order')
  await expect(page.getByText('MinhTrader').first()).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('You’re offline. This page may be out of date.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('You’re offline. This page may be out of date.')).toBeHidden()
})

test('an unreachable API shows its own notice, and the page recovers automatically', async ({ page }) => {
  let broken = true
  await page.route('**/api/c2c/deal/order/page*', (route) => (broken ? route.abort() : route.fallback()))
  await page.goto('/order')
  const state = page.getByRole('alert').filter({ hasText: 'Can’t reach MEC2C' })
  await expect(state).toBeVisible()
  broken = false
  await expect(page.getByText('MinhTrader').first()).toBeVisible()
  await expect(state).toBeHidden()
})

test('a sheet does not cover the message that its command failed', async ({ page }) => {
  await page.route('**/api/c2c/deal/order/pay/*', (route) => route.abort())
  await page.goto('/orderDetail?id=o-pay')
  await page.getByRole('button', { name: 'I have paid' }).click()
  await page.getByRole('button', { name: /^Yes, I’ve paid/ }).click()
  const message = page.getByRole('status').filter({ hasText: 'The network is unstable.' })
  await expect(message).toBeVisible()
  const onTop = await message.evaluate((region) => {
    const toast = region.firstElementChild
    if (!(toast instanceof HTMLElement)) return false
    toast.style.pointerEvents = 'auto'
    const { x, y, width, height } = toast.getBoundingClientRect()
    return toast.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
  expect(onTop).toBe(true)
})

test('a server error is not reported as a lost connection', async ({ page }) => {
  await page.route('**/api/c2c/deal/order/page*', (route) =>
    route.fulfill({ status: 500, json: { code: '500', message: '', data: null } }),
  )
  await page.goto('/order')
  await expect(page.getByText('Something went wrong on our side.')).toBeVisible()
  await expect(page.getByText('Can’t reach MEC2C')).toBeHidden()
})

test('after a server error during a refresh, each screen keeps its data and marks it as out of date', async ({
  page,
}) => {
  let broken = false
  await page.route('**/api/**', (route) =>
    broken && route.request().method() === 'GET'
      ? route.fulfill({ status: 500, json: { code: '500', message: '', data: null } })
      : route.fallback(),
  )
  for (const [path, shows] of [
    ['/orderDetail?id=o-pay', 'Payment details'],
    ['/order', 'MinhTrader'],
    ['/', 'MinhTrader'],
    ['/buySell?id=a-SELL-MEC-USD-0&amount=48', 'You receive'],
    ['/myAdvert', 'Your online ads are shown in the trading hall.'],
    ['/creating?id=ad-2', 'Send to escrow'],
    ['/fundRecord', 'Your balances'],
    ['/fundRecordDetails?id=f-2', 'On the way'],
    ['/personalCenter', 'Your balances'],
    ['/paymentMethod', 'First Harbor Bank'],
    ['/updateReceivingAddress', 'Change address'],
  ] as const) {
    await test.step(path, async () => {
      broken = false
      await page.goto(path)
      await expect(page.getByText(shows).first()).toBeVisible()
      broken = true
      const old = page.getByText('Couldn’t refresh. This may be out of date.').first()
      // Returning to the page refetches the data.
      await expect
        .poll(async () => {
          await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
          return old.isVisible()
        })
        .toBe(true)
      await expect(page.getByText(shows).first()).toBeVisible()
      await expect(page.getByText('Can’t reach MEC2C. This page may be out of date.')).toHaveCount(0)
    })
  }
  // The page recovers automatically.
  broken = false
  await expect(page.getByText('Couldn’t refresh. This may be out of date.')).toBeHidden()
})

test('data whose refresh is refused stays, with a notice, until the user tries again', async ({ page }) => {
  let refused = false
  await page.route('**/api/payment/method/list', (route) =>
    refused
      ? route.fulfill({ status: 403, json: { code: '1003', message: '', data: null } })
      : route.fallback(),
  )
  await page.goto('/paymentMethod')
  await expect(page.getByText('First Harbor Bank')).toBeVisible()
  refused = true
  const old = page.getByText('Couldn’t refresh. This may be out of date.')
  await expect
    .poll(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      return old.isVisible()
    })
    .toBe(true)
  await expect(page.getByText('First Harbor Bank')).toBeVisible()
  refused = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(old).toBeHidden()
})

test('while the server is unreachable, the page sends only a small probe, and recovers once it is answered', async ({
  page,
}) => {
  await page.clock.install()
  let gone = false
  const asked: string[] = []
  // The clock is the test's, but requests take real time.
  const open = new Set<Request>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  const pass = async (milliseconds: number) => {
    await page.clock.runFor(milliseconds)
    await expect.poll(() => open.size).toBe(0)
  }
  await page.route('**/api/**', (route) => {
    if (!gone) return route.fallback()
    asked.push(new URL(route.request().url()).pathname)
    return route.abort()
  })
  await page.goto('/orderDetail?id=o-pay')
  await expect(page.getByText('Payment details')).toBeVisible()
  gone = true
  const bar = page.getByText('Can’t reach MEC2C. This page may be out of date.')
  await expect
    .poll(async () => {
      await page.clock.runFor(4_000)
      return bar.isVisible()
    })
    .toBe(true)
  // Where the buttons are, the notice is visible, too.
  const scrolled = await page.evaluate(() => {
    scrollTo(0, document.documentElement.scrollHeight)
    return scrollY
  })
  expect(scrolled).toBeGreaterThan(0)
  await expect(bar).toBeInViewport()
  const others = () => asked.filter((path) => !/coin|order\/page/.test(path))
  // All polls have failed, with their retries.
  await expect
    .poll(async () => {
      asked.length = 0
      await pass(60_000)
      return others()
    })
    .toEqual([])
  asked.length = 0
  for (let part = 0; part < 30; part += 1) await pass(10_000)
  const probes = asked.filter((path) => path === '/api/common/coin')
  // The retry delay is 15 to 30 seconds; the poll of unfinished orders has its own 20 seconds.
  expect(probes.length).toBeGreaterThanOrEqual(5)
  expect(probes.length).toBeLessThanOrEqual(20)
  expect(others()).toEqual([])
  gone = false
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(bar).toBeHidden()
})

test('an unreachable server causes a notice, loses no input, and the page recovers automatically', async ({
  page,
}) => {
  let gone = false
  await page.route('**/api/**', (route) => (gone ? route.abort() : route.fallback()))
  await page.goto('/publish')
  await page.getByRole('radio', { name: 'MEC', exact: true }).check()
  await page
    .getByRole('group', { name: 'What do you want to be paid in?' })
    .getByRole('radio', { name: /^USD / })
    .check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Price per MEC').fill('0.48')
  gone = true
  const bar = page.getByText('Can’t reach MEC2C. This page may be out of date.')
  await expect(bar).toBeVisible()
  await expect(page.getByText('You’re offline. This page may be out of date.')).toBeHidden()
  await expect(page.getByLabel('Price per MEC')).toHaveValue('0.48')
  gone = false
  await expect(bar).toBeHidden()
  await expect(page.getByLabel('Price per MEC')).toHaveValue('0.48')
})

test('an error is shown even if the error texts fail to load', async ({ page }) => {
  await page.route('**/assets/codes-*.js', (route) => route.abort())
  await page.route('**/api/c2c/deal/order', (route) => route.abort())
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto('/buySell?id=a-SELL-MEC-USD-0')
  await page.getByLabel('You pay').fill('50')
  await page.getByRole('button', { name: /^Buy [\d.]+ MEC/ }).click()
  await expect(page.getByText('No connection to the server. Try again in a moment.')).toBeVisible()
  expect(faults).toEqual([])
})

test('a half-filled payment method form keeps its input when a refresh fails', async ({ page }) => {
  let gone = false
  await page.route('**/api/payment/method/**', (route) => (gone ? route.abort() : route.fallback()))
  await page.goto('/creatingPayment')
  await page.getByLabel('Account holder').fill('Maria Gonzalez')
  gone = true
  // Returning to the page refetches the data.
  await expect
    .poll(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      return page.getByText('Can’t reach MEC2C. This page may be out of date.').isVisible()
    })
    .toBe(true)
  await expect(page.getByLabel('Account holder')).toHaveValue('Maria Gonzalez')
})

test('the payment method form starts with the region’s currency and shows the fields it has', async ({
  page,
}) => {
  await page.route('**/api/user/info/*', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    await route.fulfill({ response, json: { ...body, data: { ...body.data, countryCode: 'KR' } } })
  })
  await page.goto('/creatingPayment')
  await expect(page.getByLabel('Currency')).toHaveValue('KRW')
  await expect(page.getByLabel('Branch (optional)')).toBeVisible()
  await expect(page.getByLabel('IBAN (optional)')).toHaveCount(0)
  await page.getByLabel('Type').selectOption('toss')
  await page.getByLabel('Phone number').fill('12345')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Check the format. Example: 010-1234-5678')).toBeVisible()
  await page.getByLabel('Currency').selectOption('EUR')
  await expect(page.getByLabel('IBAN (optional)')).toBeVisible()
})

test('without HTTPS, the login page says that it needs a secure connection', async ({ page, context }) => {
  await context.clearCookies()
  await page.addInitScript(() =>
    Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined, configurable: true }),
  )
  await page.goto('/login')
  await page.getByLabel('Email').fill('maria@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('Secret 123!')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This page needs a secure connection')).toBeVisible()
})

test('the app works under a content security policy without inline scripts', async ({ page }) => {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const policy =
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws:"
    return route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } })
  })
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  await page.goto('/orderDetail?id=o-pay')
  await page.getByRole('button', { name: 'I have paid' }).click()
  await expect(page.getByText('Marking an order as paid when you haven’t')).toBeVisible()
  expect(refused).toEqual([])
})
