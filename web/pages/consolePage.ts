import { expect, type Page } from '@playwright/test'
import { caseId } from '../mock/values.ts'
import { fulfillWith } from './overrides.ts'

/** Opens a page of the console and waits until it has loaded. */
export async function open(
  page: Page,
  path: string,
  language: 'en' | 'zh_CN' = 'en',
  theme: 'dark' | 'light' = 'dark',
) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript((shown) => localStorage.setItem('theme', shown), theme)
  await page.context().addCookies([{ name: 'me_lang', value: language, url: 'http://127.0.0.1' }])
  await page.goto(path)
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.locator('.animate-sheen')).toHaveCount(0)
}

/** Signs an appeal officer in. */
export async function asOlga(page: Page, more: object = {}) {
  await page.route('**/api/console/me', (route) =>
    fulfillWith(route, {
      id: 'officer-2',
      name: 'Olga',
      role: 'APPEAL_OFFICER',
      expiresAt: '2030-01-01T00:00:00Z',
      calls: ['get /console/appeals'],
      appealRules: {
        customerService: { amount: '500', unit: 'USDT' },
        oneOfficer: { amount: '10000', unit: 'USDT' },
        decideWithinHours: 24,
      },
      serverTime: new Date().toISOString(),
      ...more,
    }),
  )
}

/** A case of the mock, by its number. Tests that change one have one of their own. */
export const pathOf = (number: number) => `/console/appeals/${caseId(number)}`

/** Opens a case that the officer has joined. */
export async function openCase(page: Page, number: number) {
  await open(page, pathOf(number))
  await expect(page.getByRole('region', { name: 'Statements and parties' })).toBeVisible()
}

/** Refuses or answers every call of a kind. */
export async function refuse(page: Page, path: string, status: number, code: string, message: string) {
  await page.route(path, (route) => route.fulfill({ status, json: { code, message, data: null } }))
}
