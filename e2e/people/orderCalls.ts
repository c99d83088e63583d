import { expect } from '@playwright/test'
import type { Officer } from './officer.ts'
import type { Person } from './person.ts'

/** An order as the API returns it to a party. Amounts are decimal strings. */
export interface Order {
  id: string
  version: number
  state: string
  overlay: string | null
  endReason: string | null
  total: string
  appeal: { id: string } | null
  deposit: { address: string } | null
  payToAddress: { address: string } | null
  payouts: { state: string; asset: string; amount: string; to: string; hash: string | null }[]
}

/** A movement of coins as the API returns it to its user. */
export interface FundRecord {
  type: string
  state: string
  direction: string
  asset: string
  amount: string
  effect: string
  orderId: string | null
}

export async function orderOf(party: Person, id: string): Promise<Order> {
  return party.api.get(`/c2c/deal/order/${id}`)
}

/** Waits until the order is in a state, suspended by `overlay` or not, and returns it. */
export async function reaches(
  party: Person,
  id: string,
  state: RegExp,
  overlay: string | null = null,
): Promise<Order> {
  await expect
    .poll(async () => orderOf(party, id))
    .toMatchObject({ state: expect.stringMatching(state), overlay })
  return orderOf(party, id)
}

/** Sends a command about an order. */
export async function act(party: Person, id: string, call: string, more: object = {}): Promise<void> {
  const { version } = await orderOf(party, id)
  await party.api.post(`/c2c/deal/order/${call}/${id}`, { version, ...more })
}

/** Confirms the payment of an order with the security password. */
export async function confirm(seller: Person, id: string): Promise<void> {
  await act(seller, id, 'confirm', { securityCode: await seller.api.seal(seller.securityPassword) })
}

/** Files an appeal with a picture. Returns its ID. */
export async function appeal(party: Person, orderId: string, reason: string): Promise<string> {
  const picture = await party.api.upload(await party.page.screenshot())
  const { version } = await orderOf(party, orderId)
  await party.api.post('/c2c/appeal', { orderId, version, reason, pictures: [picture] })
  return (await orderOf(party, orderId)).appeal?.id ?? ''
}

/** Decides an appeal as an officer, with the calls of the console. */
export async function decide(officer: Officer, id: string, ruling: 'BUYER' | 'SELLER'): Promise<void> {
  const { version } = await officer.post<{ version: string }>(`/appeals/${id}/join`, {})
  await officer.post(`/appeals/${id}/decision`, { ruling, note: 'The chain shows it.', version })
}

/** Returns all of a user's fund records. */
export async function fundRecords(person: Person): Promise<FundRecord[]> {
  const all: FundRecord[] = []
  for (let page = 1; ; page += 1) {
    const { records, total } = await person.api.get<{ records: FundRecord[]; total: number }>(
      `/balance/detail?page=${page}&size=50`,
    )
    all.push(...records)
    if (records.length === 0 || all.length >= total) return all
  }
}
