import type { BrowserContext, Page, Route } from '@playwright/test'
import { adverts } from '../mock/adverts.ts'
import { user } from '../mock/users.ts'

/** Fulfills a request with this data. */
export function fulfillWith(route: Route, data: unknown): Promise<void> {
  return route.fulfill({ json: { code: '200', message: '', data } })
}

/** Changes fields of the mock's user on this page. */
export async function overrideUser(page: Page, change: () => Partial<typeof user>): Promise<void> {
  await page.route('**/api/user/info/*', (route) => fulfillWith(route, { ...user, ...change() }))
}

/** Changes fields of one of the mock's ads on this page. */
export async function overrideAdvert(page: Page, id: string, change: () => object): Promise<void> {
  const advert = adverts.find((one) => one.id === id)
  await page.route(`**/api/c2c/advert/${id}`, (route) => fulfillWith(route, { ...advert, ...change() }))
}

/** Starts the session of the mock's user. */
export function signIn(context: BrowserContext): Promise<void> {
  const url = 'http://127.0.0.1'
  return context.addCookies([
    { name: 'MEC2C-token', value: 'mock-token', url },
    { name: 'userId', value: 'u-me', url },
  ])
}
