import { type BrowserContext, test as base } from '@playwright/test'
import { Person } from '../people/person.ts'
import { Chain } from './chain.ts'
import { World } from './world.ts'

interface Things {
  chain: Chain
  /** Brings somebody with a phone of their own. */
  bring: (name: string, as?: { region: string; kyc: string }) => Promise<Person>
}

/** A test with a world; all tests of one worker share it, so each brings people that no other brings. */
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
    await use(async (name, as) => {
      const context = await browser.newContext({
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
        hasTouch: true,
        locale: 'en-US',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      contexts.push(context)
      return Person.bring(world, context, name, as)
    })
    for (const context of contexts) await context.close()
  },
})
export { expect } from '@playwright/test'
