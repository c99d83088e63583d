import type { MethodForm } from '@/api/types'

export type Fields = Record<string, string>
export type FieldFault = 'missing' | 'tooLong' | 'characters'

/** Printable text of one line; control characters have no place in an account number. */
const TEXT = /^[^\p{Cc}]*$/u

/** The forms that pay out in a currency. */
export function formsFor(forms: readonly MethodForm[], currency: string): readonly MethodForm[] {
  return forms.filter((form) => form.currencies.includes(currency))
}

export function fieldFaults(form: MethodForm, values: Fields): Record<string, FieldFault> {
  const faults: Record<string, FieldFault> = {}
  for (const field of form.fields) {
    const value = (values[field.name] ?? '').trim()
    if (value === '') {
      if (field.required) faults[field.name] = 'missing'
    } else if (Array.from(value).length > field.maxLength) faults[field.name] = 'tooLong'
    else if (!TEXT.test(value)) faults[field.name] = 'characters'
  }
  return faults
}

/** What is sent: the form's own fields, without blanks. */
export function fieldsOf(form: MethodForm, values: Fields): Fields {
  const kept = form.fields.map((field): [string, string] => [field.name, (values[field.name] ?? '').trim()])
  return Object.fromEntries(kept.filter(([, value]) => value !== ''))
}
