import type { Page } from '@playwright/test'

/** Lets the mock's person be somebody else for this page: what is not named stays. */
export async function be(page: Page, change: Record<string, unknown>): Promise<void> {
  await page.route('**/api/user/info/*', async (route) => {
    const answer = await route.fetch()
    const body: { data: object } = await answer.json()
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, ...change } } })
  })
}
