import { Buffer } from 'node:buffer'
import { expect, type Page, type Request, test } from '@playwright/test'
import { qrCode } from '../mock/files.ts'
import { orders } from '../mock/orders.ts'
import { fulfillWith, signIn } from './overrides.ts'

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: PIXEL })

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

/** Opens the sheet in which a payment is marked. Returns the bodies that are sent to mark it. */
async function openPaidSheet(page: Page): Promise<unknown[]> {
  const sent: unknown[] = []
  const paid = orders.find(({ id }) => id === 'o-wait')
  await page.route('**/api/c2c/deal/order/pay/o-pay', (route) => {
    sent.push(route.request().postDataJSON())
    return fulfillWith(route, paid)
  })
  await page.goto('/orderDetail?id=o-pay')
  await page.getByRole('button', { name: 'I have paid', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  return sent
}

test('a payment is marked with several receipts, without one that was removed', async ({ page }) => {
  const sent = await openPaidSheet(page)
  const sheet = page.getByRole('dialog')
  await page.getByLabel('Add a picture').setInputFiles(['a.png', 'b.png', 'c.png'].map(picture))
  await expect(sheet.getByText('3 of 3 uploaded')).toBeAttached()
  await expect(sheet.getByText('3 / 5')).toBeVisible()
  await sheet.getByRole('button', { name: 'Remove Picture 2' }).click()
  await expect(sheet.getByText('2 of 2 uploaded')).toBeAttached()
  await sheet.getByRole('button', { name: /^Yes, I’ve paid/ }).click()
  await expect(sheet).toHaveCount(0)
  expect(sent).toEqual([
    expect.objectContaining({ receipts: [expect.stringMatching(/^f-/), expect.stringMatching(/^f-/)] }),
  ])
})

test('no more than five receipts can be added', async ({ page }) => {
  await openPaidSheet(page)
  await page.getByLabel('Add a picture').setInputFiles(['1', '2', '3', '4', '5', '6'].map(picture))
  await expect(page.getByText('5 of 5 uploaded')).toBeAttached()
  await expect(page.getByLabel('Add a picture')).toHaveCount(0)
})

test('an upload that failed is tried again with the same key, and blocks the payment until then', async ({
  page,
}) => {
  const keys: (string | undefined)[] = []
  const record = (request: Request) => keys.push(request.headers()['idempotency-key'])
  await page.route('**/api/file/uploadImage', (route) => {
    record(route.request())
    return keys.length === 1 ? route.abort() : route.continue()
  })
  const sent = await openPaidSheet(page)
  const sheet = page.getByRole('dialog')
  await page.getByLabel('Add a picture').setInputFiles(picture('a.png'))
  await expect(sheet.getByText('The upload failed. Check your connection.')).toBeVisible()
  await sheet.getByRole('button', { name: /^Yes, I’ve paid/ }).click()
  await expect(sheet.getByText('Remove the pictures that weren’t uploaded, or try again.')).toBeVisible()
  expect(sent).toEqual([])
  await sheet.getByRole('button', { name: 'Try again' }).click()
  await expect(sheet.getByText('1 of 1 uploaded')).toBeAttached()
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
})

test('a file that the server or the browser refuses is explained', async ({ page }) => {
  await page.route('**/api/file/uploadImage', (route) =>
    route.fulfill({
      status: 422,
      json: { code: '1014', message: 'The upload failed.', data: { field: 'file', reason: 'animated' } },
    }),
  )
  await openPaidSheet(page)
  const add = page.getByLabel('Add a picture')
  const note = page.getByText('This file can’t be read. Choose another one.')
  await add.setInputFiles(picture('a.png'))
  await expect(note).toHaveCount(1)
  await add.setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
  await expect(note).toHaveCount(2)
})

test('the progress of a slow upload moves until the file is stored', async ({ page, context }) => {
  await page.goto('/chat?id=o-ask')
  const network = await context.newCDPSession(page)
  const limit = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
    })
  await limit(100_000)
  const film = { name: 'a.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(2_000_000) }
  await page.getByLabel('Add a picture or video').setInputFiles(film)
  const bar = page.getByRole('progressbar', { name: 'Uploading Video 1' })
  const progress = async () => Number(await bar.getAttribute('aria-valuenow'))
  const filled = () => bar.evaluate((one) => one.firstElementChild?.getBoundingClientRect().width ?? 0)
  await expect.poll(progress).toBeGreaterThan(0)
  const [first, width] = [await progress(), await filled()]
  expect(first).toBeLessThan(100)
  await expect.poll(progress).toBeGreaterThan(first)
  await expect.poll(filled).toBeGreaterThan(width)
  await limit(-1)
  await expect(bar).toHaveCount(0)
  await expect(page.getByText('Both parties see these files')).toBeVisible()
})

test('a large photo is shrunk before it is sent', async ({ page }) => {
  await openPaidSheet(page)
  // Noise, which no format compresses well.
  const large = await page.evaluate(async () => {
    const [width, height] = [1600, 1200]
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    const image = context.createImageData(width, height)
    let state = 1
    for (let index = 0; index < image.data.length; index += 1) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      image.data[index] = index % 4 === 3 ? 255 : state % 256
    }
    context.putImageData(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
    const bytes = new Uint8Array(await blob.arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  })
  const picture = Buffer.from(large, 'base64')
  expect(picture.length).toBeGreaterThan(1024 * 1024)
  const request = page.waitForRequest('**/api/file/uploadImage')
  await page
    .getByLabel('Add a picture')
    .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: picture })
  await expect(page.getByText('1 of 1 uploaded')).toBeAttached()
  const { requestBodySize } = await (await request).sizes()
  expect(requestBodySize).toBeGreaterThan(100_000)
  expect(requestBodySize).toBeLessThan(1024 * 1024 + 2048)
})

test('the seller sees the receipts, enlarges one, and learns which was used before', async ({ page }) => {
  await page.goto('/orderDetail?id=o-confirm')
  const thumbs = page.getByRole('button', { name: /^Enlarge: Payment receipt/ })
  await expect(thumbs).toHaveCount(2)
  await expect(page.getByText('Used before')).toHaveCount(1)
  await expect(page.getByText(/same picture was attached to another order before/)).toBeVisible()
  await thumbs.first().focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('img', { name: 'Payment receipt 1' })).toBeVisible()
  await expect(sheet.getByText('A picture isn’t proof of payment.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
})

test('a payment method gets a QR code, and shows the one that it has', async ({ page }) => {
  const sent: { fields: Record<string, string> }[] = []
  await page.route('**/api/payment/method/m-2', (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent.push(route.request().postDataJSON())
    return route.continue()
  })
  await page.goto('/paymentMethod')
  await page.getByRole('button', { name: 'Enlarge: Payment QR code 1' }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Payment QR code 1' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/creatingPayment?id=m-2')
  await page.getByRole('button', { name: 'Remove Picture 1' }).click()
  await page.getByLabel('Add a picture').setInputFiles(picture('code.png'))
  await expect(page.getByText('1 of 1 uploaded')).toBeAttached()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/paymentMethod$/)
  expect(sent[0]?.fields['qrCode']).toMatch(/^f-\d+$/)
})

test('a bank card can have a QR code, which need not be added', async ({ page }) => {
  const sent: { type: string; fields: Record<string, string> }[] = []
  await page.route('**/api/payment/method', (route) => {
    sent.push(route.request().postDataJSON())
    return route.continue()
  })
  for (const [number, account] of ['4000111122223333', '4000111122224444'].entries()) {
    await page.goto('/creatingPayment?currency=USD&type=bankCard')
    await page.getByLabel('Account holder').fill('Maria Gonzalez')
    await page.getByLabel('Account or card number').fill(account)
    await page.getByLabel('Bank name').fill('First Harbor Bank')
    await expect(page.getByText('QR code (optional)')).toBeVisible()
    if (number === 1) {
      await page.getByLabel('Add a picture').setInputFiles(picture('code.png'))
      await expect(page.getByText('1 of 1 uploaded')).toBeAttached()
    }
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL(/\/paymentMethod$/)
  }
  expect(sent.map((one) => [one.type, one.fields['qrCode'] ?? ''])).toEqual([
    ['bankCard', ''],
    ['bankCard', expect.stringMatching(/^f-\d+$/)],
  ])
})

test('the payer of an order sees the QR code of a bank card', async ({ page }) => {
  const order = orders.find(({ id }) => id === 'o-pay')
  const payTo = { ...order?.payTo, type: 'bankCard', pictures: { qrCode: qrCode('f-bank') } }
  await page.route('**/api/c2c/deal/order/o-pay', (route) => fulfillWith(route, { ...order, payTo }))
  await page.goto('/orderDetail?id=o-pay')
  await expect(page.getByRole('img', { name: 'Payment QR code' })).toBeVisible()
})
