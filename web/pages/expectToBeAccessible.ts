import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Checks that axe finds nothing on the page as it is. */
export async function expectToBeAccessible(page: Page, path: string) {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const said = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`)
  expect.soft(said, path).toEqual([])
}
