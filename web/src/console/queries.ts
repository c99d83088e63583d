import type { QueryClient } from '@tanstack/react-query'
import type { Maintenance, Officer, Pair, Payouts, UserDetails } from './types'

/** The keys of queries that several files use, and how to show what a decision has changed until they are fetched again. */

export const ADS = ['ads']
export const CERTIFICATIONS = ['certifications']
export const MAINTENANCE = ['maintenance']
export const NICKNAMES = ['nicknames']
export const OFFICERS = ['officers']
export const PAIRS = ['pairs']
export const PAYOUTS = ['payouts']

export function userKey(id: string): string[] {
  return ['user', id]
}

interface Row {
  id: string | number
}

function replace(client: QueryClient, key: string[], changed: Row) {
  client.setQueryData<Row[]>(key, (all) => all?.map((one) => (one.id === changed.id ? changed : one)))
}

export function showMaintenance(client: QueryClient, state: Maintenance) {
  client.setQueryData(MAINTENANCE, state)
}

export function showOfficer(client: QueryClient, changed: Officer) {
  replace(client, OFFICERS, changed)
}

export function showPair(client: QueryClient, changed: Pair) {
  replace(client, PAIRS, changed)
}

export function showPayouts(client: QueryClient, payouts: Payouts) {
  client.setQueryData(PAYOUTS, payouts)
}

export function showUser(client: QueryClient, details: UserDetails) {
  client.setQueryData(userKey(details.user.id), details)
}
