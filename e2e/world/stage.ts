import { type BrowserContext, test as base } from '@playwright/test'
import { Person } from '../people/person.ts'
import { Chain } from './chain.ts'
import { World } from './world.ts'

interface Things {
  chain: Chain
  /** Creates a user with a browser of phone or desktop size. */
  bring: (name: string, screen?: keyof typeof SCREENS) => Promise<Person>
}

const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, hasTouch: false },
} as const

/** A test with an environment. All tests of a worker share it, so each creates its own users. */
export const test = base.extend<Things, { world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const world = await World.start()
      await use(world)
      await world.end()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  chain: async ({ world }, use) => {
    await use(new Chain(world))
  },
  bring: async ({ browser, world }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (name, screen = 'phone') => {
      const context = await browser.newContext({
        ...SCREENS[screen],
        locale: 'en-US',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      contexts.push(context)
      return Person.bring(world, context, name)
    })
    for (const context of contexts) await context.close()
  },
})
export { expect } from '@playwright/test'
