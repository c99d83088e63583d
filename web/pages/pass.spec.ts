import { expect, type Page, type Route, test } from '@playwright/test'

interface Challenge {
  id: string
  challengeId: string
  number: number
}

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

/** Makes the page request a challenge. */
async function asks(page: Page, doing: () => Promise<unknown>): Promise<Challenge> {
  const made = page.waitForResponse((response) => response.url().includes('/api/scan/genQrCodeUrl/'))
  await doing()
  const { data }: { data: Challenge } = await (await made).json()
  await expect(page.getByLabel('Number to select in the pass app')).toHaveText(`${data.number}`)
  return data
}

/** Sets the result of a challenge; other challenges stay pending. */
async function answers(
  page: Page,
  { id }: Challenge,
  answer: (route: Route) => Promise<void>,
): Promise<void> {
  await page.route(`**/api/scan/result/${id}*`, answer)
}

const declines = (route: Route) =>
  route.fulfill({ status: 422, json: { code: '1005', message: 'Declined.', data: null } })

async function openPanel(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log in with your pass' }).click()
}

test('the panel shows the number and browser of the pass request', async ({ page }) => {
  await asks(page, () => openPanel(page))
  await expect(page.getByText('Chrome on Linux · South Korea')).toBeVisible()
})

test('after a request is declined, the user can start a new one, even after a reload', async ({ page }) => {
  const declined = await asks(page, () => openPanel(page))
  await answers(page, declined, declines)
  await expect(page.getByText('You declined the request')).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const second = await asks(page, () => page.getByRole('button', { name: 'Try again' }).click())
  expect(second.id).not.toBe(declined.id)
  await page.waitForRequest(`**/api/scan/result/${second.id}`)

  await answers(page, second, declines)
  await expect(page.getByText('You declined the request')).toBeVisible()
  await page.reload()
  await expect(page.getByText('You declined the request')).toBeHidden()
  const third = await asks(page, () => page.getByRole('button', { name: 'Log in with your pass' }).click())
  expect(new Set([declined.id, second.id, third.id]).size).toBe(3)
  expect(asked.filter((url) => url.includes(declined.id))).toEqual([])
})

test('a pending request is resumed after a reload', async ({ page }) => {
  const { id } = await asks(page, () => openPanel(page))
  const polled = page.waitForRequest(`**/api/scan/result/${id}`)
  await page.reload()
  await polled
})

for (const [outcome, title] of [
  ['declined', 'You declined the request'],
  ['expired', 'This request has expired'],
  ['failed', 'We couldn’t verify the response from the pass'],
  ['unavailable', 'We didn’t receive the response from the pass'],
] as const) {
  test(`a browser returned with "${outcome}" shows the reason and can start again`, async ({ page }) => {
    await page.goto(`/register?pass=${outcome}&challenge=c-0`)
    await expect(page.getByText(title)).toBeVisible()
    await expect(page).toHaveURL(/\/register$/)
    await asks(page, () => page.getByRole('button', { name: 'Try again' }).click())
  })
}

test('a browser that did not start the request sends neither code nor secret', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/scan/')) asked.push(request.url())
  })
  await page.goto('/login?next=%2Forder&pass=approved&challenge=c-0&code=somebody-elses')
  await expect(page.getByText('This request was started in another browser')).toBeVisible()
  await expect(page).toHaveURL(/\/login\?next=%2Forder$/)
  expect(asked).toEqual([])
  await asks(page, () => page.getByRole('button', { name: 'Start here' }).click())
})

test('the browser that started the request is logged in when it returns in another tab', async ({ page }) => {
  const challenge = await asks(page, () => openPanel(page))
  const tab = await page.context().newPage()
  const codes: (string | null)[] = []
  await answers(tab, challenge, (route) => {
    codes.push(new URL(route.request().url()).searchParams.get('code'))
    const session = { token: 'mock-token', userId: 'u-me', expiresAt: '2030-01-01T00:00:00Z' }
    return route.fulfill({ json: { code: '200', message: '', data: { registered: true, session } } })
  })
  await tab.goto(`/login?next=%2Forder&pass=approved&challenge=${challenge.challengeId}&code=mine`)
  await expect(tab).toHaveURL(/\/order$/)
  expect(codes).toEqual(['mine'])
})
