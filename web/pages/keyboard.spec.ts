import { expect, type Page, test } from '@playwright/test'
import { ROUTES, SCREENS, visitScreens } from './visitScreens.ts'

/** More than the controls of any window, so that a loop of the focus ends. */
const MAX_STEPS = 60

interface Focused {
  name: string
  /** Has an outline, or is in something that has one. */
  ringed: boolean
  /** Another element is in front of its middle. */
  covered: boolean
}

/** Returns what has the focus, or `null` once the focus has left the page or returns to a control. */
function focused(page: Page): Promise<Focused | null> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body || element.dataset['seen']) return null
    element.dataset['seen'] = 'true'
    const outlined = (one: Element | null, pseudo?: string) => {
      if (one === null) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(one, pseudo)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
    }
    // A radio button or file input is drawn by its label, a search field by its box, and a row by its table row.
    const drawn = element.closest('label, tr') ?? element.parentElement
    const { left, right, top, bottom } = element.getBoundingClientRect()
    // The floating button is partly beyond the edge.
    const front = document.elementFromPoint(
      Math.min((left + right) / 2, document.body.clientWidth - 1),
      (top + bottom) / 2,
    )
    const within = element.closest('label') ?? element
    return {
      name: `${element.tagName} ${element.ariaLabel ?? element.textContent}`.slice(0, 80),
      ringed: outlined(element) || outlined(element, '::after') || outlined(drawn),
      covered: front === null || !(within.contains(front) || front.contains(element)),
    }
  })
}

for (const [size, viewport] of [
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1280, height: 800 }],
] as const) {
  test.describe(`on ${size}`, () => {
    test.use({ viewport })
    test('the focus is visible and covered by nothing, wherever the Tab key leads', async ({
      page,
      context,
    }) => {
      test.setTimeout(600_000)
      const screens = SCREENS.filter(([path]) => ROUTES.includes(path))
      await visitScreens({ page, context }, screens, { theme: 'dark', language: 'en' }, async (path) => {
        let steps = 0
        for (; steps < MAX_STEPS; steps += 1) {
          await page.keyboard.press('Tab')
          const at = await focused(page)
          if (at === null) break
          expect.soft(at, `${path}: ${at.name}`).toMatchObject({ ringed: true, covered: false })
        }
        expect.soft(steps, path).toBeGreaterThan(2)
      })
    })
  })
}
