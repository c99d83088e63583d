import { expect, type Page } from '@playwright/test'

/** Returns the texts that are clipped or overflow their container, and by how much. */
function cut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK = 1.5
    const wide = document.documentElement.clientWidth
    const found = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement
      const text = node.textContent?.trim() ?? ''
      // Screen-reader texts are clipped on purpose, and rows of chips scroll.
      if (parent === null || text === '' || parent.closest('.sr-only, .scroll-row, select, title, noscript'))
        continue
      if (!parent.checkVisibility({ visibilityProperty: true }) || parent.clientWidth === 1) continue
      // A counter sits on the edge of its button.
      if (parent.matches('button > .absolute')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const { left, right, top, bottom, width } of Array.from(range.getClientRects())) {
        if (width < 1 || bottom < 0) continue
        if (left < -SLACK || right > wide + SLACK) found.add(`beside the screen: ${text}`)
        for (
          let box: Element | null = parent;
          box !== null && box !== document.body;
          box = box.parentElement
        ) {
          const style = getComputedStyle(box)
          const edge = box.getBoundingClientRect()
          if (style.position === 'fixed' && box.matches('a')) break
          const shown = box.matches('button, a, li, section, fieldset, label, [role="dialog"]')
          const clips = style.overflowX === 'hidden' || style.overflowX === 'clip'
          if ((shown || clips) && (left < edge.left - SLACK || right > edge.right + SLACK))
            found.add(`outside of its ${box.tagName}: ${text}`)
          const high = box.matches('button') || (clips && style.overflowY !== 'auto')
          if (high && (top < edge.top - 4 || bottom > edge.bottom + 4))
            found.add(`higher than its ${box.tagName}: ${text}`)
        }
      }
    }
    for (const input of document.querySelectorAll('input')) {
      const filled =
        input.value !== '' && input.checkVisibility() && !input.matches('[type="radio"], [type="range"]')
      if (filled && input.scrollWidth > input.clientWidth + SLACK)
        found.add(`longer than its field: ${input.value}`)
    }
    return Array.from(found)
  })
}

/** Checks that the page does not scroll sideways, once what it loads is in place. */
export async function expectNoSidewaysScroll(page: Page, path: string): Promise<void> {
  const over = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(over, { message: `${path} scrolls sideways`, timeout: 10_000 }).toBeLessThanOrEqual(0)
}

/** Checks that nothing is clipped, nothing scrolls sideways, and buttons are large enough to tap. */
export async function expectToFit(page: Page, path: string): Promise<void> {
  await expectNoSidewaysScroll(page, path)
  expect.soft(await cut(page), path).toEqual([])
  for (const act of await page.locator('[data-bar="act"]').locator('button:enabled, a').all()) {
    await act.click({ trial: true })
  }
}
