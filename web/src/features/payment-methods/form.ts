import type { MethodField, MethodForm } from '@/api/types'

export type Fields = Record<string, string>
export type FieldFault = 'missing' | 'tooLong' | 'characters' | 'form'

/** Printable text of one line; control characters have no place in an account number. */
const TEXT = /^[^\p{Cc}]*$/u

/** The forms that pay out in a currency. */
export function formsFor(forms: readonly MethodForm[], currency: string): readonly MethodForm[] {
  return forms.filter((form) => form.currencies.includes(currency))
}

/** The fields that a form asks for in a currency. */
export function fieldsFor(form: MethodForm, currency: string): readonly MethodField[] {
  return form.fields.filter((field) => field.currencies === null || field.currencies.includes(currency))
}

/** The value as its pattern sees it: people group digits as they like. The server reads it the same way. */
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

/** What is sent: the form's own fields in the currency, without blanks. */
export function fieldsOf(form: MethodForm, currency: string, values: Fields): Fields {
  const kept = fieldsFor(form, currency).map((field): [string, string] => [
    field.name,
    (values[field.name] ?? '').trim(),
  ])
  return Object.fromEntries(kept.filter(([, value]) => value !== ''))
}

/** The currency to begin with: the one that was asked for, else the user's own, as far as any form pays out in it. */
export function firstCurrency(
  currencies: readonly string[],
  wanted: readonly (string | undefined)[],
): string {
  return wanted.find((one) => one !== undefined && currencies.includes(one)) ?? currencies[0] ?? ''
}
