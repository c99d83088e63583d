import { expect, test } from '@playwright/test'
import { signIn } from './overrides.ts'
import { ROUTES } from './visitScreens.ts'

const CHOICES = [
  { stored: null, device: 'light', shown: 'dark' },
  { stored: 'light', device: 'dark', shown: 'light' },
  { stored: 'auto', device: 'light', shown: 'light' },
  { stored: 'auto', device: 'dark', shown: 'dark' },
] as const

for (const { stored, device, shown } of CHOICES) {
  test(`every screen is ${shown} on a ${device} device if the choice is ${stored ?? 'not made'}`, async ({
    page,
    context,
  }) => {
    await signIn(context)
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: device })
    await page.addInitScript((choice) => {
      if (choice !== null) localStorage.setItem('theme', choice)
      // Every theme that is shown, from the first paint on.
      const themes: (string | undefined)[] = []
      Object.assign(window, { themes })
      const root = () => document.documentElement
      new MutationObserver(() => themes.push(root().dataset['theme'])).observe(document, {
        attributes: true,
        attributeFilter: ['data-theme'],
        subtree: true,
      })
    }, stored)
    for (const path of [...ROUTES, '/console']) {
      await page.goto(path)
      await expect(page.locator('#root > *').first()).toBeAttached()
      await expect(page.locator('html')).toHaveAttribute('data-theme', shown)
      const themes = await page.evaluate(() => [...new Set<string>(Reflect.get(window, 'themes'))].join())
      expect(themes, path).toBe(shown)
    }
  })
}
