import { expect, test } from '@playwright/test'
import { receipt, video } from '../mock/files.ts'
import { orders } from '../mock/orders.ts'
import { minutesFromNow } from '../mock/values.ts'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})
// Pages still poll when a test ends; routes in progress must not fail it.
test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test('an appeal says what it does and costs, and needs a reason', async ({ page }) => {
  await page.goto('/orderDetail?id=o-appeal')
  await page.getByRole('link', { name: 'Appeal', exact: true }).click()
  await expect(page.getByText('If you lose, you’ll lose 20 credit points.')).toBeVisible()
  await page.getByRole('button', { name: 'Submit appeal' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Choose a reason.' })).toBeVisible()
  await page.getByRole('radio', { name: 'Other', exact: true }).check()
  await page.getByRole('button', { name: 'Submit appeal' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Describe what happened.' })).toBeVisible()
})

test('after filing, the status of the appeal is read from its beginning', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-appealed')
  let filed = false
  await page.route('**/api/c2c/appeal', (route) => {
    filed = true
    return fulfillWith(route, { ...order, id: 'o-appeal' })
  })
  await page.route('**/api/c2c/deal/order/o-appeal', (route) =>
    filed ? fulfillWith(route, { ...order, id: 'o-appeal' }) : route.fallback(),
  )
  await page.goto('/appeal?id=o-appeal')
  await page.getByRole('radio', { name: 'The payment hasn’t arrived' }).check()
  await page
    .getByLabel('Add a picture')
    .first()
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await expect(page.getByText('1 of 1 uploaded').first()).toBeAttached()
  await page.getByRole('button', { name: 'Submit appeal' }).click()
  const heading = page.getByRole('heading', { name: 'Waiting for an officer’s decision' })
  await expect(heading).toBeInViewport()
  await expect(heading).toBeFocused()
})

test('what was entered for an appeal is kept when the other party files one first', async ({ page }) => {
  const appealed = orders.find((one) => one.id === 'o-appealed')
  const order = orders.find((one) => one.id === 'o-appeal')
  const { overlay, appeal } = appealed ?? {}
  const other = { ...order, overlay, appeal: { ...appeal, filedBy: 'BUYER' }, version: 9 }
  let filed = false
  await page.clock.install()
  await page.route('**/api/c2c/deal/order/o-appeal', (route) =>
    fulfillWith(
      route,
      filed
        ? { ...other, actions: appealed?.actions.filter(({ action }) => action === 'addEvidence') }
        : order,
    ),
  )
  const added: unknown[] = []
  await page.route('**/api/c2c/appeal/evidence/*', (route) => {
    added.push(route.request().postDataJSON())
    return fulfillWith(route, other)
  })
  await page.goto('/appeal?id=o-appeal')
  await page.getByLabel('Description (optional)').fill('Nothing has arrived.')
  await page
    .getByLabel('Add a picture')
    .first()
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await expect(page.getByText('1 of 1 uploaded').first()).toBeAttached()
  filed = true
  await page.clock.fastForward(9_000)
  await expect(page.getByRole('heading', { name: 'Your appeal wasn’t submitted' })).toBeFocused()
  await expect(page.getByText(/^Another appeal about this order was filed first/)).toBeVisible()
  await expect(page.getByText('Nothing has arrived.')).toBeVisible()
  const add = page.getByRole('button', { name: 'Add these files as evidence' })
  await add.click()
  await expect(add).toHaveCount(0)
  expect(added).toEqual([{ version: 9, pictures: [expect.stringMatching(/./)], videos: [] }])
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Nothing has arrived.')).toHaveCount(0)
})

test('an own appeal from another device is not called one of the other party', async ({ page }) => {
  const { overlay, appeal, actions } = orders.find((one) => one.id === 'o-appealed') ?? {}
  const order = orders.find((one) => one.id === 'o-appeal')
  let filed = false
  await page.clock.install()
  await page.route('**/api/c2c/deal/order/o-appeal', (route) =>
    fulfillWith(
      route,
      filed ? { ...order, overlay, appeal: { ...appeal, filedBy: order?.role }, actions, version: 9 } : order,
    ),
  )
  await page.goto('/appeal?id=o-appeal')
  await page.getByLabel('Description (optional)').fill('Nothing has arrived.')
  filed = true
  await page.clock.fastForward(9_000)
  await expect(page.getByRole('heading', { name: 'These changes weren’t submitted' })).toBeFocused()
  await expect(page.getByText(/^You’ve already filed an appeal about this order/)).toBeVisible()
  await expect(page.getByText('Nothing has arrived.')).toBeVisible()
})

test('what was entered for an appeal is kept while none can be filed', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-appeal')
  let offered = true
  await page.clock.install()
  await page.route('**/api/c2c/deal/order/o-appeal', (route) =>
    fulfillWith(route, offered ? order : { ...order, appealFrom: null, actions: [] }),
  )
  await page.goto('/appeal?id=o-appeal')
  await page.getByLabel('Description (optional)').fill('Nothing has arrived.')
  offered = false
  await page.clock.fastForward(9_000)
  await expect(page.getByText('You can’t appeal this order now')).toBeVisible()
  await expect(page.getByText(/^You can’t submit it now/)).toBeVisible()
  offered = true
  await page.clock.fastForward(9_000)
  await expect(page.getByLabel('Description (optional)')).toHaveValue('Nothing has arrived.')
})

test('the reasons have the names of the server’s dictionary', async ({ page, context }) => {
  await page.route('**/api/common/dict?language=en_US', (route) =>
    fulfillWith(route, {
      language: 'en_US',
      appealReasons: [{ value: 'WRONG_AMOUNT', name: 'A name from the server' }],
    }),
  )
  await page.goto('/appeal?id=o-appeal')
  await expect(page.getByRole('radio', { name: 'A name from the server' })).toBeVisible()
  // What the dictionary lacks has the name of the app.
  await expect(page.getByRole('radio', { name: 'The payment hasn’t arrived' })).toBeVisible()
  await context.addCookies([{ name: 'me_lang', value: 'zh_CN', url: 'http://127.0.0.1' }])
  await page.reload()
  await expect(page.getByRole('radio', { name: '金额或币种不符' })).toBeVisible()
})

test('a pending appeal locks the order and can be withdrawn', async ({ page }) => {
  await page.goto('/orderDetail?id=o-appealed')
  await expect(page.getByRole('heading', { name: 'Under appeal. All timers are paused.' })).toBeVisible()
  await expect(page.getByText('This order is locked until the appeal ends.')).toBeVisible()
  await page.getByRole('link', { name: 'View the appeal' }).click()
  await expect(page.getByRole('heading', { name: 'Waiting for an officer’s decision' })).toBeVisible()
  await page.getByRole('button', { name: 'Withdraw the appeal' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('The order continues with the time that was left.')).toBeVisible()
  await sheet.getByRole('button', { name: 'Keep appeal' }).click()
  await expect(sheet).toBeHidden()
})

test('a withdrawal that releases both coins says so', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-appealed')
  const movements = [
    { kind: 'PAYOUT', asset: 'MEC', amount: '99.9', party: 'BUYER', address: `0x${'1'.repeat(40)}` },
    { kind: 'FEE', asset: 'MEC', amount: '0.1', party: 'BUYER', address: null },
    { kind: 'PAYOUT', asset: 'USDT', amount: '48', party: 'SELLER', address: `0x${'2'.repeat(40)}` },
  ]
  const actions = order?.actions.map((one) => (one.action === 'withdrawAppeal' ? { ...one, movements } : one))
  await page.route('**/api/c2c/deal/order/o-appealed', (route) => fulfillWith(route, { ...order, actions }))
  await page.goto('/appeal?id=o-appealed')
  await page.getByRole('button', { name: 'Withdraw the appeal' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(/Both deposits of this order are in escrow/)).toBeVisible()
  await expect(sheet.getByText(/continues with the time that was left/)).toHaveCount(0)
  await expect(sheet.getByText('What happens in escrow')).toBeVisible()
  await expect(sheet.getByText(/^99\.9 MEC/)).toBeVisible()
  await expect(sheet.getByText(/^48 USDT/)).toBeVisible()
  await expect(sheet.getByText('To the seller')).toBeVisible()
})

test('a withdrawn appeal says what became of the order', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-appealed')
  const appeal = { ...order?.appeal, status: 'WITHDRAWN', endedAt: new Date().toISOString() }
  const withdrawn = { ...order, appeal, overlay: null, actions: [] }
  let extra: object = { kind: 'AUTOMATIC', state: 'RELEASING', deadline: null }
  await page.route('**/api/c2c/deal/order/o-appealed', (route) =>
    fulfillWith(route, { ...withdrawn, ...extra }),
  )
  await page.goto('/appeal?id=o-appealed')
  const main = page.getByRole('main')
  await expect(main.getByText(/so they’re being released\.$/)).toBeVisible()
  await expect(main.getByText(/with the time that was left/)).toHaveCount(0)
  extra = { ...extra, state: 'COMPLETED' }
  await page.reload()
  await expect(main.getByText(/so they were released\.$/)).toBeVisible()
  extra = { kind: 'MANUAL', state: 'COMPLETED', deadline: null }
  await page.reload()
  await expect(main.getByText('The order continued with the time that was left.')).toBeVisible()
  extra = {}
  await page.reload()
  await expect(main.getByText('The order continues with the time that was left.')).toBeVisible()
})

test('a party is offered only the evidence that it can still add', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-appealed')
  const at = new Date().toISOString()
  const own = [receipt('e-1'), receipt('e-2'), receipt('e-3'), receipt('e-4'), video('e-5')]
  const evidence = [
    ...own.map((file) => ({ file, by: 'BUYER', at })),
    { file: video('e-6'), by: 'SELLER', at },
    { file: receipt('e-7'), by: 'SELLER', at },
  ]
  let added = evidence.slice(0, 4)
  await page.route('**/api/c2c/deal/order/o-appealed', (route) =>
    fulfillWith(route, { ...order, appeal: { ...order?.appeal, evidence: added } }),
  )
  await page.goto('/appeal?id=o-appealed')
  await page.getByRole('button', { name: 'Add evidence' }).click()
  const sheet = page.getByRole('dialog', { name: 'Add evidence' })
  await expect(sheet.getByText('You can add 1 more picture and 1 video to this appeal.')).toBeVisible()
  await expect(sheet.getByLabel('Add a video')).toBeAttached()
  added = evidence
  await page.reload()
  await page.getByRole('button', { name: 'Add evidence' }).click()
  await expect(sheet.getByText('You can add 1 more picture to this appeal.')).toBeVisible()
  await expect(sheet.getByLabel('Add a video')).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Add evidence' }).click()
  await expect(sheet.getByText('Add at least one picture.')).toBeVisible()
  await sheet
    .getByLabel('Add a picture')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await expect(sheet.getByText('1 of 1 uploaded')).toBeAttached()
  await expect(sheet.getByLabel('Add a picture')).toHaveCount(0)
  added = [...evidence, { file: receipt('e-8'), by: 'BUYER', at }]
  await page.reload()
  await expect(page.getByText('Evidence from')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add evidence' })).toHaveCount(0)
})

test('a verdict says what happens to what is in escrow, when, and why', async ({ page }) => {
  await page.goto('/appeal?id=o-decided')
  await expect(page.getByRole('heading', { name: 'Decided in your favor' })).toBeVisible()
  await expect(
    page.getByText(
      /^The order will be cancelled in 2\d:\d\d:\d\d, and what is in escrow goes back to where it came from/,
    ),
  ).toBeVisible()
  await expect(page.getByText('The bank statement shows no payment from the buyer.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Withdraw the appeal' })).toHaveCount(0)
})

test('a release announces no amount, because the escrow may hold less than was ordered', async ({ page }) => {
  let executesAt: string | null = new Date(Date.now() + 3_600_000).toISOString()
  await page.route('**/api/c2c/deal/order/o-decided', async (route) => {
    const { data } = await (await route.fetch()).json()
    const released = { winner: 'BUYER', initiatorWins: false, outcome: 'RELEASE', executesAt }
    await fulfillWith(route, { ...data, appeal: { ...data.appeal, ...released } })
  })
  await page.goto('/appeal?id=o-decided')
  const main = page.getByRole('main')
  await expect(
    main.getByText(/^What is in escrow will be released to the buyer, minus any fee, in [\d:]+/),
  ).toBeVisible()
  executesAt = null
  await page.reload()
  await expect(main.getByText('What was in escrow is released to the buyer, minus any fee.')).toBeVisible()
  await expect(main.getByText('99.9 MEC')).toHaveCount(0)
})

test('a verdict about an automatic order says where both sides go', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-decided')
  let facts: { role: string; outcome: string; executesAt: string | null }
  await page.route('**/api/c2c/deal/order/o-decided', (route) => {
    const { role, ...verdict } = facts
    const appeal = { ...order?.appeal, ...verdict }
    return fulfillWith(route, { ...order, kind: 'AUTOMATIC', base: 'MEC', quote: 'USDT', role, appeal })
  })
  const main = page.getByRole('main')
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const says = [
    ['RELEASE', soon, /^In [\d:]+, 99\.9 MEC will be released to the buyer, and [\d.]+ USDT to the seller\./],
    ['RELEASE', null, /^99\.9 MEC is released to the buyer, and [\d.]+ USDT to the seller\./],
    [
      'CANCEL',
      soon,
      /^The order will be cancelled in [\d:]+, and each party gets back what it has in escrow\./,
    ],
    ['CANCEL', null, 'The order was cancelled, and each party gets back what it had in escrow.'],
  ] as const
  for (const role of ['BUYER', 'SELLER']) {
    for (const [outcome, executesAt, text] of says) {
      facts = { role, outcome, executesAt }
      await page.goto('/appeal?id=o-decided')
      await expect(main.getByText(text), `${role} ${outcome}`).toBeVisible()
    }
  }
})

test('a verdict that cancels an order with nothing in escrow says so', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-decided')
  await page.route('**/api/c2c/deal/order/o-decided', (route) =>
    fulfillWith(route, { ...order, money: 'SELLER' }),
  )
  await page.goto('/appeal?id=o-decided')
  await expect(
    page.getByText(/^The order will be cancelled in [\d:]+\. Nothing is in escrow\./),
  ).toBeVisible()
})

test('a restored order says so', async ({ page }) => {
  await page.goto('/orderDetail?id=o-restored')
  await expect(
    page.getByText('The appeal has ended and the order is restored. Please pay on time.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'I have paid' })).toBeVisible()
})

test('a party that cannot appeal yet learns when', async ({ page }) => {
  const order = orders.find((one) => one.id === 'o-appeal-later')
  // The mock's time is counted from its start, and may have passed.
  await page.route('**/api/c2c/deal/order/o-appeal-later', (route) =>
    fulfillWith(route, { ...order, appealFrom: minutesFromNow(14.5), serverTime: minutesFromNow(0) }),
  )
  await page.goto('/appeal?id=o-appeal-later')
  await expect(
    page.getByText(/^If the other party doesn’t act, you can appeal in \d\d:\d\d\.$/),
  ).toBeVisible()
})

test('the list shows orders under appeal', async ({ page }) => {
  await page.goto('/order')
  await expect(page.getByText('Under appeal: don’t pay').first()).toBeVisible()
})

test('a party whose appeal the other party withdrew is told so, and files it again in a few taps', async ({
  page,
}) => {
  const order = orders.find((one) => one.id === 'o-appealed')
  const action = {
    action: 'appeal',
    reputationCost: 20,
    usesFree: false,
    securityCode: false,
    pass: false,
    movements: [],
  }
  const appeal = {
    ...order?.appeal,
    status: 'WITHDRAWN',
    filedBy: 'BUYER',
    withdrawnBy: 'SELLER',
    reason: 'NOT_RELEASED',
    specificReason: 'Paid at noon.',
    endedAt: new Date().toISOString(),
    evidence: [{ file: receipt('e-1'), by: 'BUYER', at: new Date().toISOString() }],
  }
  const resumed = {
    ...order,
    appeal,
    overlay: null,
    deadline: new Date(Date.now() + 600_000).toISOString(),
    appealReasons: ['NOT_RELEASED', 'OTHER'],
    actions: [action],
  }
  await page.route('**/api/c2c/deal/order/o-appealed', (route) => fulfillWith(route, resumed))
  await page.goto('/orderDetail?id=o-appealed')
  await expect(page.getByText(`${order?.counterparty.nickname} withdrew the appeal.`)).toBeVisible()
  await page.getByRole('link', { name: 'File the appeal again' }).click()
  await expect(page.getByText('The other party withdrew the appeal')).toBeVisible()
  await expect(page.getByLabel('Description (optional)')).toHaveValue('Paid at noon.')
  await page.route('**/api/c2c/appeal', (route) => fulfillWith(route, resumed))
  const sent = page.waitForRequest('**/api/c2c/appeal')
  await page.getByRole('button', { name: 'Submit appeal' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ reason: 'NOT_RELEASED', pictures: [], videos: [] })
})

test('what an officer asks for is shown with its deadline, and one tap adds it', async ({ page }) => {
  const asked = orders.find((one) => one.id === 'o-evidence')
  await page.goto('/orderDetail?id=o-evidence')
  await expect(page.getByText(/^An officer asks you for evidence by /)).toBeVisible()
  await page.getByRole('link', { name: 'Add evidence' }).click()
  await expect(page.getByRole('heading', { name: 'An officer asks you for evidence' })).toBeVisible()
  await expect(page.getByText('A bank statement that shows the transfer, or that it’s missing')).toBeVisible()
  await expect(page.getByText(/^Of the account that you paid from/)).toBeVisible()
  await expect(page.getByText(/^Add it by .*left\.$/)).toBeVisible()
  const added: unknown[] = []
  const request = asked?.appeal?.evidenceRequests[0]
  let answered = false
  await page.route('**/api/c2c/appeal/evidence/*', (route) => {
    added.push(route.request().postDataJSON())
    answered = true
    return fulfillWith(route, asked)
  })
  await page.route('**/api/c2c/deal/order/o-evidence', (route) => {
    const requests = [{ ...request, answeredAt: answered ? minutesFromNow(0) : null }]
    return fulfillWith(route, { ...asked, appeal: { ...asked?.appeal, evidenceRequests: requests } })
  })
  await page.getByRole('button', { name: 'Add this evidence' }).click()
  const sheet = page.getByRole('dialog', { name: 'Add evidence' })
  await sheet
    .getByLabel('Add a picture')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await expect(page.getByText('1 of 1 uploaded').first()).toBeAttached()
  await sheet.getByRole('button', { name: 'Add evidence' }).click()
  await expect(sheet).toHaveCount(0)
  expect(added).toHaveLength(1)
  await expect(page.getByRole('heading', { name: 'You answered the officer’s request' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add this evidence' })).toHaveCount(0)
})

test('evidence that was due can still be added', async ({ page }) => {
  const asked = orders.find((one) => one.id === 'o-evidence')
  const request = asked?.appeal?.evidenceRequests[0]
  await page.route('**/api/c2c/deal/order/o-evidence', (route) => {
    const requests = [{ ...request, kind: 'OTHER', dueAt: minutesFromNow(-5) }]
    return fulfillWith(route, { ...asked, appeal: { ...asked?.appeal, evidenceRequests: requests } })
  })
  await page.goto('/appeal?id=o-evidence')
  await expect(page.getByText(/^It was due by .* You can still add it/)).toBeVisible()
  await expect(page.getByText(/^Of the account that you paid from/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add this evidence' })).toBeVisible()
  await page.goto('/order')
  await expect(page.getByText('Evidence requested').first()).toBeVisible()
})
