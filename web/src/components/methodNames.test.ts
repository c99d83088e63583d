import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const at = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

interface Form {
  type: string
  fields: { name: string; pattern?: string }[]
}

test('every payment method of the server has a label', () => {
  const forms = JSON.parse(at('../../../crates/schema/data/payment_methods.json')) as Form[]
  const words = at('./methodNames.ts') + at('./methods/useFieldName.ts')
  const named = (name: string) => words.includes(`\n  ${name}: msg\``)
  const missing = forms.flatMap((form) => [form.type].concat(form.fields.map((field) => field.name)))
  expect(missing.filter((name) => !named(name))).toEqual([])
})

test('every field pattern is valid in the browser', () => {
  const forms = JSON.parse(at('../../../crates/schema/data/payment_methods.json')) as Form[]
  const patterns = forms.flatMap((form) => form.fields.flatMap((field) => field.pattern ?? []))
  expect(patterns.length).toBeGreaterThan(20)
  for (const pattern of patterns) expect(() => new RegExp(`^(?:${pattern})$`, 'u')).not.toThrow()
})
