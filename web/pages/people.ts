import type { Page, Route } from '@playwright/test'
import { adverts, user } from '../mock/world.ts'

/** Answers a call with this content. */
export function answer(route: Route, data: unknown): Promise<void> {
  return route.fulfill({ json: { code: '200', message: '', data } })
}

/** Lets the mock's person be somebody else for this page; what is not named stays. */
export async function be(page: Page, change: () => Partial<typeof user>): Promise<void> {
  await page.route('**/api/user/info/*', (route) => answer(route, { ...user, ...change() }))
}

/** Lets one of the mock's ads be another for this page; what is not named stays. */
export async function has(page: Page, id: string, change: () => object): Promise<void> {
  const advert = adverts.find((one) => one.id === id)
  await page.route(`**/api/c2c/advert/${id}`, (route) => answer(route, { ...advert, ...change() }))
}
