import type { MethodField, MethodForm } from '@/api/types'

export type Fields = Record<string, string>
export type FieldFault = 'missing' | 'tooLong' | 'characters' | 'form'

/** One line of printable text, without control characters. */
const TEXT = /^[^\p{Cc}]*$/u

/** Returns the forms available for a currency. */
export function formsFor(forms: readonly MethodForm[], currency: string): readonly MethodForm[] {
  return forms.filter((form) => form.currencies.includes(currency))
}

/** Returns the fields of a form for a currency. */
export function fieldsFor(form: MethodForm, currency: string): readonly MethodField[] {
  return form.fields.filter((field) => field.currencies === null || field.currencies.includes(currency))
}

/** Removes separators before a pattern is applied, like the server. */
function compact(kind: MethodField['kind'], value: string): string {
  if (kind === 'number') return value.replace(/ /g, '')
  if (kind === 'phone') return value.replace(/[ ().-]/g, '')
  if (kind === 'iban') return value.replace(/[ -]/g, '').toUpperCase()
  return value
}

function fits(field: MethodField, value: string): boolean {
  return field.pattern === null || new RegExp(`^(?:${field.pattern})$`, 'u').test(compact(field.kind, value))
}

export function fieldFaults(form: MethodForm, currency: string, values: Fields): Record<string, FieldFault> {
  const faults: Record<string, FieldFault> = {}
  for (const field of fieldsFor(form, currency)) {
    const value = (values[field.name] ?? '').trim()
    if (value === '') {
      if (field.required) faults[field.name] = 'missing'
    } else if (Array.from(value).length > field.maxLength) faults[field.name] = 'tooLong'
    else if (!TEXT.test(value)) faults[field.name] = 'characters'
    else if (!fits(field, value)) faults[field.name] = 'form'
  }
  return faults
}

/** Returns the fields to send: trimmed, without empty ones. */
export function fieldsOf(form: MethodForm, currency: string, values: Fields): Fields {
  const kept = fieldsFor(form, currency).map((field): [string, string] => [
    field.name,
    (values[field.name] ?? '').trim(),
  ])
  return Object.fromEntries(kept.filter(([, value]) => value !== ''))
}

/** Returns the initial currency: the first preferred currency that any form supports. */
export function firstCurrency(
  currencies: readonly string[],
  wanted: readonly (string | undefined)[],
): string {
  return wanted.find((one) => one !== undefined && currencies.includes(one)) ?? currencies[0] ?? ''
}
