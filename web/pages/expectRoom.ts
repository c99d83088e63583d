import { expect, type Locator, type Page } from '@playwright/test'
import { expectToFit } from './expectToFit.ts'

/** Returns the words of an element that are broken into several lines. */
function brokenWords(element: Locator): Promise<string[]> {
  return element.evaluate((node) => {
    const broken: string[] = []
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word)
      }
    }
    return broken
  })
}

/** Returns the part of the window's height that an element takes. */
async function heightOf(page: Page, element: Locator): Promise<number> {
  const box = await element.boundingBox()
  return (box?.height ?? 0) / (page.viewportSize()?.height ?? 1)
}

/** Asserts that no title is broken into letters, and that headers leave most of the screen to the page. */
export async function expectReadableTitles(page: Page, paths: readonly string[]) {
  for (const path of paths) {
    await page.goto(path)
    const title = page.locator('h1').first()
    await expect(title, path).toBeVisible()
    expect.soft(await brokenWords(title), path).toEqual([])
    expect.soft(await heightOf(page, page.locator('header').first()), path).toBeLessThan(0.35)
    await expectToFit(page, path)
  }
}

/** Asserts that a chat leaves room for its messages, and that the next step of the order is on the screen. */
export async function expectRoomForMessages(page: Page) {
  await page.goto('/chat?id=o-pay')
  const log = page.getByRole('log')
  await expect(log).toBeVisible()
  expect(await heightOf(page, log)).toBeGreaterThan(0.3)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeInViewport()
  await expect(page.getByRole('link', { name: 'I have paid' })).toBeInViewport()
}

/** Asserts that the bars that stay in place while the page scrolls leave more than half of the window to it. */
export async function expectRoomBetweenBars(page: Page, path: string) {
  const covered = await page.evaluate(() => {
    scrollTo(0, innerHeight)
    let height = 0
    for (const element of document.querySelectorAll('#root *')) {
      if (!['fixed', 'sticky'].includes(getComputedStyle(element).position)) continue
      const { top, bottom, width } = element.getBoundingClientRect()
      if (width > innerWidth / 2) height += Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0))
    }
    return height / innerHeight
  })
  expect.soft(covered, path).toBeLessThan(0.5)
}
