import { expect, test } from 'vitest'
import { SUPPORTED_LANGUAGES } from '@/i18n/catalogs'
import { TEMPLATES, textOf, textsIn } from './templates'

test('each template exists in each language and fits into a message with all of them', async () => {
  const texts = await textsIn(SUPPORTED_LANGUAGES)
  expect(texts.length).toBeGreaterThan(1)
  for (const template of TEMPLATES) {
    const each = texts.map((text) => textOf(template, [text]))
    expect(new Set(each).size, template.id).toBe(texts.length)
    expect(textOf(template, texts), template.id).toBe(each.join('\n\n'))
    // The longest message.
    expect(textOf(template, texts).length, template.id).toBeLessThanOrEqual(1_000)
  }
})
