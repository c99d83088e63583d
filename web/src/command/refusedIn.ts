import { isApiError, refusedField } from '@/api/envelope'

/** Returns the field of a form that a refusal is about: the one that it names, or the one that its code concerns. */
export function refusedIn<Field extends string>(
  error: unknown,
  fields: readonly Field[],
  codes: Readonly<Record<string, Field>>,
): Field | null {
  const named = refusedField(error)
  const found = fields.find((one) => one === named)
  return found ?? (isApiError(error) ? (codes[error.code] ?? null) : null)
}
