import { type BrowserContext, test as base } from '@playwright/test'
import { Person } from '../people/person.ts'
import { Chain } from './chain.ts'
import { Environment } from './environment.ts'

interface Things {
  chain: Chain
  /** Creates a user who is new to the environment, with a browser of phone or desktop size. Fiat ads must be in the region's currency. */
  bring: (screen?: keyof typeof SCREENS, region?: string) => Promise<Person>
}

const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, hasTouch: false },
} as const

/** A test with an environment. All tests of a worker share the environment, so each test creates its own users. */
export const test = base.extend<Things, { environment: Environment }>({
  environment: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const environment = await Environment.start()
      await use(environment)
      await environment.end()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  chain: async ({ environment }, use) => {
    await use(new Chain(environment))
  },
  bring: async ({ browser, environment }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (screen = 'phone', region = 'VN') => {
      const context = await browser.newContext({
        ...SCREENS[screen],
        locale: 'en-US',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      contexts.push(context)
      return Person.bring(environment, context, { region, kyc: 'advanced' })
    })
    for (const context of contexts) await context.close()
  },
})
export { expect } from '@playwright/test'
