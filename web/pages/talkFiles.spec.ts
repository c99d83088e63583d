import { Buffer } from 'node:buffer'
import { expect, type Page, test, type WebSocketRoute } from '@playwright/test'
import { fulfillWith, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})
test.afterEach(async ({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: PIXEL })
const film = (name: string) => ({ name, mimeType: 'video/mp4', buffer: PIXEL })
const chooser = (page: Page) => page.getByLabel('Add a picture or video')
const tiles = (page: Page) => page.getByRole('list', { name: 'Files to send' }).getByRole('listitem')
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })

/** Records the bodies of the messages that the page sends. */
function recordSent(page: Page): { text: string; files: string[] }[] {
  const bodies: { text: string; files: string[] }[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/user/fiat/talk/'))
      bodies.push(request.postDataJSON())
  })
  return bodies
}

test('pictures and a video are previewed, and sent with the text', async ({ page }) => {
  const sent = recordSent(page)
  await page.goto('/chat?id=o-revoked')
  await chooser(page).setInputFiles([picture('a.png'), picture('b.png'), film('c.mp4')])
  await expect(tiles(page)).toHaveCount(3)
  await expect(page.getByText('Both parties see these files')).toBeVisible()
  await tiles(page).getByRole('button', { name: 'Remove Picture 2' }).click()
  await field(page).fill('see here')
  await field(page).press('Enter')
  await expect(tiles(page)).toHaveCount(0)
  const bubble = log(page).getByText('see here').locator('..')
  await expect(bubble.getByRole('img', { name: 'Sent', exact: true })).toBeVisible()
  await expect(bubble.getByRole('button', { name: /^Enlarge: Attachment/ })).toHaveCount(2)
  expect(sent).toEqual([
    {
      text: 'see here',
      despiteWarnings: false,
      files: [expect.stringMatching(/^f-/), expect.stringMatching(/^f-/)],
    },
  ])
  // A message may consist of files alone.
  await chooser(page).setInputFiles(picture('d.png'))
  await expect(sendButton(page)).toBeEnabled()
  await sendButton(page).click()
  await expect(log(page).getByRole('img', { name: 'Sent', exact: true })).toHaveCount(2)
  expect(sent[1]).toEqual({ text: '', despiteWarnings: false, files: [expect.stringMatching(/^f-/)] })
})

test('pictures are enlarged, and a video is played', async ({ page }) => {
  await page.goto('/chat?id=o-releasing')
  const four = log(page).getByText('Here is what my bank shows.').locator('..')
  await expect(four.getByRole('button', { name: /^Enlarge: Attachment/ })).toHaveCount(4)
  await expect(log(page).getByText('Used before')).toHaveCount(1)
  await four.getByRole('button', { name: 'Enlarge: Attachment 3' }).click()
  const sheet = page.getByRole('dialog', { name: 'Attachment' })
  await expect(sheet.getByRole('img', { name: 'Attachment 3' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await log(page).getByRole('button', { name: 'Enlarge: Attachment 1' }).last().click()
  await expect(page.getByRole('dialog').locator('video')).toBeVisible()
})

test('a message takes five files, one of them a video', async ({ page }) => {
  await page.goto('/chat?id=o-cancelled')
  await chooser(page).setInputFiles([film('a.mp4'), film('b.mp4')])
  await expect(page.getByText('A message can have up to 5 files, one of them a video.')).toBeVisible()
  await expect(tiles(page)).toHaveCount(1)
  await chooser(page).setInputFiles(['1', '2', '3', '4', '5'].map(picture))
  await expect(tiles(page)).toHaveCount(5)
  await expect(chooser(page)).toBeDisabled()
})

test('an upload that failed blocks the message until it is tried again or removed', async ({ page }) => {
  const keys: (string | undefined)[] = []
  await page.route('**/api/file/uploadImage', (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    return keys.length === 1 ? route.abort() : route.fallback()
  })
  await page.goto('/chat?id=o-left')
  await chooser(page).setInputFiles(picture('a.png'))
  await expect(tiles(page).getByText('The upload failed. Check your connection.')).toBeVisible()
  await field(page).fill('with a picture')
  await expect(sendButton(page)).toBeDisabled()
  await tiles(page).getByRole('button', { name: 'Try again' }).click()
  await expect(sendButton(page)).toBeEnabled()
  expect(keys[1]).toBe(keys[0])
})

test('uploaded files survive a reload, and it is said what was not uploaded', async ({ page }) => {
  const sent = recordSent(page)
  await page.goto('/chat?id=o-arrived')
  await chooser(page).setInputFiles([picture('a.png')])
  await expect(sendButton(page)).toBeEnabled()
  await page.route('**/api/file/uploadImage', () => {
    // Never answers.
  })
  await chooser(page).setInputFiles([picture('b.png')])
  await expect(tiles(page)).toHaveCount(2)
  await expect(page.getByText('1 of 2 uploaded')).toBeVisible()
  await page.reload()
  await expect(page.getByText('1 file wasn’t uploaded before this page was closed.')).toBeVisible()
  await expect(tiles(page)).toHaveCount(1)
  await sendButton(page).click()
  await expect(log(page).getByRole('img', { name: 'Sent', exact: true })).toHaveCount(1)
  expect(sent).toEqual([expect.objectContaining({ files: [expect.stringMatching(/^f-/)] })])
  await page.reload()
  await expect(tiles(page)).toHaveCount(0)
  await expect(page.getByText('wasn’t uploaded')).toHaveCount(0)
})

test('a message with files that is written offline is sent later, also after a reload', async ({
  page,
  context,
}) => {
  const sent = recordSent(page)
  await page.goto('/chat?id=o-frozen')
  await chooser(page).setInputFiles([picture('a.png')])
  await expect(sendButton(page)).toBeEnabled()
  await context.setOffline(true)
  await field(page).fill('offline')
  await sendButton(page).click()
  const bubble = log(page).getByText('offline', { exact: true }).locator('..')
  await expect(bubble.getByRole('img', { name: 'Sending' })).toBeVisible()
  await expect(bubble.getByRole('button', { name: 'Enlarge: Attachment 1' })).toBeVisible()
  // What fails to upload without a connection is uploaded when it is back.
  await chooser(page).setInputFiles([picture('b.png')])
  await expect(tiles(page).getByText('The upload failed. Check your connection.')).toBeVisible()
  sent.length = 0
  await context.setOffline(false)
  await expect(page.getByText('Both parties see these files')).toBeVisible()
  await page.reload()
  await expect(bubble.getByRole('img', { name: 'Sent', exact: true })).toBeVisible()
  await expect(bubble.getByRole('button', { name: 'Enlarge: Attachment 1' })).toBeVisible()
  expect(sent).toContainEqual(
    expect.objectContaining({ text: 'offline', files: [expect.stringMatching(/^f-/)] }),
  )
})

test('a message whose files are too many for the conversation can be sent without them', async ({ page }) => {
  const sent = recordSent(page)
  await page.goto('/chat?id=o-ask')
  await chooser(page).setInputFiles([picture('a.png')])
  await expect(page.getByText('Both parties see these files')).toBeVisible()
  await field(page).fill('One too many')
  await sendButton(page).click()
  const refusal = log(page).getByRole('alert')
  await expect(refusal).toContainText('You have sent as many files in this chat as possible.')
  await refusal.getByRole('button', { name: 'Send without files' }).click()
  await expect(refusal).toHaveCount(0)
  await expect(log(page).getByRole('img', { name: 'Sent', exact: true })).toHaveCount(1)
  expect(sent.map(({ files }) => files.length)).toEqual([1, 0])
})

test('a message whose files were deleted meanwhile can be sent without them', async ({ page }) => {
  const sent = recordSent(page)
  await page.goto('/chat?id=o-seen')
  await page.evaluate(() => {
    const url = 'data:image/png,'
    const file = { id: 'gone', kind: 'IMAGE', mediaType: 'image/png', size: 1, width: 1, height: 1 }
    const files = [{ ...file, duration: null, url, usedBefore: false }]
    localStorage.setItem('own u-me draft_files o-seen', JSON.stringify({ files, unfinished: 0 }))
  })
  await page.reload()
  await field(page).fill('with a lost picture')
  await sendButton(page).click()
  const refusal = log(page).getByRole('alert')
  await expect(refusal).toContainText('The files are no longer available.')
  await refusal.getByRole('button', { name: 'Send without files' }).click()
  await expect(refusal).toHaveCount(0)
  await expect(log(page).getByRole('img', { name: 'Sent', exact: true })).toHaveCount(1)
  expect(sent.map(({ files }) => files)).toEqual([['gone'], []])
})

test('files of the socket are fetched with their links, and expired links are renewed', async ({ page }) => {
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket('**/api/fiat/*', (route) => {
    sockets.push(route)
  })
  const file = { id: 'f-late', kind: 'IMAGE', mediaType: 'image/png', size: 1, width: 1, height: 1 }
  const entry = {
    ...{ number: 7, kind: 'MESSAGE', author: 'BUYER', officer: null, text: 'from the socket', warnings: [] },
    ...{ notice: null, state: null, version: null, at: new Date().toISOString(), hash: '' },
  }
  let reads = 0
  await page.route('**/api/user/fiat/talk/o-releasing?after=6*', async (route) => {
    reads += 1
    // The first link has expired when the picture is loaded.
    const url =
      reads === 1 ? '/api/file/f-late?expires=1' : `data:image/png;base64,${PIXEL.toString('base64')}`
    const files = [{ id: 'f-late', sha256: '', file: { ...file, duration: null, url, usedBefore: false } }]
    const got = await route.fetch()
    const body = await got.json()
    return fulfillWith(route, { ...body.data, entries: [{ ...entry, files }], last: 7 })
  })
  await page.goto('/chat?id=o-releasing')
  await expect(log(page).getByText('Here is what my bank shows.')).toBeAttached()
  await expect.poll(() => sockets.length).toBe(1)
  const told = { ...entry, files: [{ id: 'f-late', sha256: '', file: null }] }
  const message = JSON.stringify({ orderId: 'o-releasing', entry: told, key: null, marks: null })
  sockets[0]?.send(JSON.stringify({ type: 'TALK', message, number: 1 }))
  const image = log(page).getByText('from the socket').locator('..').locator('img')
  await expect(image).toHaveAttribute('src', /^data:image\/png/)
  expect(reads).toBe(2)
})

test('the list of conversations loads more when it is scrolled, and shows each once', async ({ page }) => {
  await page.route('**/api/user/fiat/talk/talkList*', async (route) => {
    const got = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/page=\d+/, 'page=1'),
    })
    const { data } = await got.json()
    const query = new URL(route.request().url()).searchParams
    const [at, size] = [Number(query.get('page')), Number(query.get('size'))]
    // Since the first page was read, a conversation has moved to the front.
    const first = (at - 1) * size - (at > 1 ? 1 : 0)
    const records = Array.from({ length: Math.min(size, 45 - first) }, (_, index) => ({
      ...data.records[0],
      orderId: `o-${first + index}`,
      nickname: `Trader ${first + index}`,
    }))
    return fulfillWith(route, { records, total: 45, page: at, size })
  })
  await page.goto('/chat')
  const rows = page.getByRole('list', { name: 'Chats' }).getByRole('listitem')
  await expect(rows).toHaveCount(20)
  await rows.last().scrollIntoViewIfNeeded()
  await expect(rows).toHaveCount(39)
  await rows.last().scrollIntoViewIfNeeded()
  await expect(page.getByText('No more records')).toBeVisible()
  // Without exactness, `Trader 4` at 4:10 would count, too.
  for (const name of ['Trader 19', 'Trader 44'])
    await expect(rows.getByText(name, { exact: true })).toHaveCount(1)
})
