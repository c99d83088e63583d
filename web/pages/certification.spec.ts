import { expect, type Page, test, type WebSocketRoute } from '@playwright/test'
import { certification } from '../mock/certification.ts'
import type { Certification } from '../src/api/types.ts'
import { expectToFit } from './expectToFit.ts'
import { fulfillWith, overrideUser, signIn } from './overrides.ts'

test.beforeEach(async ({ context, page }) => {
  await signIn(context)
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

/** Lets the test change the certification. */
async function certificationIs(page: Page, shown: Partial<Certification>) {
  const held: Certification = { ...certification, certified: false, ...shown }
  await page.route('**/api/user/certification', (route) => {
    if (route.request().method() === 'POST')
      Object.assign(held, {
        mayApply: false,
        application: { status: 'PENDING', appliedAt: '2026-11-20T12:00:00Z', decidedAt: null, reason: null },
      })
    return fulfillWith(route, held)
  })
  return held
}

const has: Partial<Record<string, number>> = { COMPLETED_ORDERS: 4 }
const lacks = new Set(['COMPLETED_ORDERS', 'SECURITY_PASSWORD'])
const unmet = certification.checks.map(({ requirement, ...check }) => ({
  requirement,
  met: !lacks.has(requirement),
  has: has[requirement] ?? check.has,
  needed: check.needed,
}))

test('a user who wants to post a fiat ad reads what certification takes, and what is missing', async ({
  page,
}) => {
  await overrideUser(page, () => ({ certified: false }))
  await certificationIs(page, { checks: unmet })
  await page.goto('/personalCenter')
  await page.getByRole('link', { name: 'Certification' }).click()
  await expect(page).toHaveURL(/\/certification$/)
  const items = page.getByRole('listitem')
  await expect(items).toHaveCount(8)
  await expect(items.filter({ hasText: '10 completed orders in 30 days. You have 4' })).toContainText('')
  await expect(page.getByRole('img', { name: 'Not met yet' })).toHaveCount(2)
  await expect(page.getByRole('img', { name: 'Met', exact: true })).toHaveCount(6)
  await expect(page.getByText('2 requirements are not met yet.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Apply for certification' })).toBeDisabled()
  await expectToFit(page, '/certification')
  await page.getByRole('link', { name: 'A security password' }).click()
  await expect(page).toHaveURL(/\/updateSecurityPassword/)
})

test('an application is sent once, waits for an officer, and its decision arrives at once', async ({
  page,
}) => {
  const held = await certificationIs(page, { mayApply: true })
  const sockets: WebSocketRoute[] = []
  await page.routeWebSocket('**/api/fiat/*', (route) => {
    sockets.push(route)
  })
  await page.goto('/certification')
  await page.getByRole('button', { name: 'Apply for certification' }).click()
  await expect(page.getByText(/^You applied on/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Apply for certification' })).toHaveCount(0)

  held.application = {
    status: 'REJECTED',
    appliedAt: '2026-11-20T12:00:00Z',
    decidedAt: '2026-11-21T12:00:00Z',
    reason: 'Two people use your account.',
  }
  held.applyFrom = '2026-11-28T12:00:00Z'
  await expect.poll(() => sockets.length).toBe(1)
  sockets[0]?.send(
    JSON.stringify({ type: 'ACCOUNT_CHANGE', message: '{"certification":"REJECTED"}', number: 1 }),
  )
  await expect(page.getByText(/Two people use your account\./)).toBeVisible()
  await expect(page.getByText(/^You can apply again from/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Apply for certification' })).toBeDisabled()
  await expectToFit(page, '/certification')
})

test('a certified trader reads so', async ({ page }) => {
  await page.goto('/certification')
  await expect(page.getByText(/^You’re a certified trader/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Apply for certification' })).toHaveCount(0)
})

test('a page that cannot be loaded says so and recovers', async ({ page }) => {
  await page.route('**/api/user/certification', (route) => route.abort())
  await page.goto('/certification')
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await page.unroute('**/api/user/certification')
  await again.click()
  await expect(page.getByText('What it takes')).toBeVisible()
})
