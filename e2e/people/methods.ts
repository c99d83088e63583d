import type { Person } from './person.ts'

/** What a user fills in for a type of payment method, apart from the name. */
export const FIELDS = {
  bankCard: { account: '4000123412341234', bankName: 'First Bank' },
  visaDirect: { account: '4000123412341234' },
  sepa: { iban: 'DE89370400440532013000', bankName: 'First Bank' },
  revolut: { revtag: '@paymehere' },
  zelle: { account: 'pay@example.com' },
  cashApp: { cashtag: '$paymehere' },
} as const

/** Adds a payment method in the user's name. Returns its ID. */
export async function addMethod(
  person: Person,
  type: keyof typeof FIELDS,
  currency: string,
): Promise<string> {
  const method = { type, currency, fields: { name: person.name, ...FIELDS[type] } }
  return (await person.api.post<{ id: string }>('/payment/method', method)).id
}
