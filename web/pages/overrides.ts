import type { BrowserContext, Page, Route } from '@playwright/test'
import { adverts, viewedByOwner } from '../mock/adverts.ts'
import { user } from '../mock/users.ts'
import type { MissingRequirement, TradeRequirement } from '../src/api/types.ts'

/** Fulfills a request with this data. */
export function fulfillWith(route: Route, data: unknown): Promise<void> {
  return route.fulfill({ json: { code: '200', message: '', data } })
}

/** Changes fields of the mock's user on this page. */
export async function overrideUser(page: Page, change: () => Partial<typeof user>): Promise<void> {
  await page.route('**/api/user/info/*', (route) => fulfillWith(route, { ...user, ...change() }))
}

/** A requirement that the user does not meet. */
export function lacking(
  requirement: TradeRequirement,
  facts: Partial<MissingRequirement> = {},
): MissingRequirement {
  return { requirement, has: null, needed: null, until: null, ...facts }
}

/** Changes what the server says that the user lacks. `query` is that of an ad to post; an order has none. */
export async function overrideMissing(
  page: Page,
  missing: (query: URLSearchParams) => MissingRequirement[],
): Promise<void> {
  const queryOf = (route: Route) => new URL(route.request().url()).searchParams
  await page.route('**/api/c2c/advert/requirements*', (route) => fulfillWith(route, missing(queryOf(route))))
  await page.route(/\/api\/c2c\/advert\/a-[^/]+$/, async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    return fulfillWith(route, { ...data, missing: missing(queryOf(route)) })
  })
}

/** Changes fields of one of the mock's ads on this page. */
export async function overrideAdvert(page: Page, id: string, change: () => object): Promise<void> {
  const advert = adverts.find((one) => one.id === id)
  if (advert === undefined) throw new Error(`the mock has no ad ${id}`)
  await page.route(`**/api/c2c/advert/${id}`, (route) =>
    fulfillWith(route, viewedByOwner({ ...advert, ...change() })),
  )
}

/** Starts the session of the mock's user. */
export function signIn(context: BrowserContext): Promise<void> {
  const url = 'http://127.0.0.1'
  return context.addCookies([
    { name: 'MEC2C-token', value: 'mock-token', url },
    { name: 'userId', value: 'u-me', url },
  ])
}
