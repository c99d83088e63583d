import { create } from 'zustand'
import { local } from './storage'
import { uuid } from './uuid'

/** A transfer that this browser requested from a wallet. */
export interface WalletTransfer {
  id: string
  /** The transaction's hash; null until the wallet returns it. It stays null if the page is closed before. */
  hash: string | null
  amount: string
  /** The time of the request to the wallet, in milliseconds of this device's clock. */
  at: number
}

const KEY = 'sent'
const KEPT_MS = 86_400_000

type Book = Readonly<Record<string, readonly WalletTransfer[]>>

function isSent(value: unknown): value is WalletTransfer {
  if (typeof value !== 'object' || value === null) return false
  if (!('id' in value && 'hash' in value && 'amount' in value && 'at' in value)) return false
  const { id, hash, amount, at } = value
  return (
    typeof id === 'string' &&
    (hash === null || typeof hash === 'string') &&
    typeof amount === 'string' &&
    typeof at === 'number'
  )
}

/** Parses stored transfers, without those older than a day. */
export function parseTransfers(text: string | null, now: number): Book {
  let kept: unknown
  try {
    kept = JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
  if (typeof kept !== 'object' || kept === null) return {}
  const book: Record<string, readonly WalletTransfer[]> = {}
  for (const [payment, list] of Object.entries(kept)) {
    const young = Array.isArray(list) ? list.filter(isSent).filter((one) => now - one.at < KEPT_MS) : []
    if (young.length > 0) book[payment] = young
  }
  return book
}

const useBook = create<Book>(() => parseTransfers(local.get(KEY), Date.now()))
const NOTHING: readonly WalletTransfer[] = []

// Another tab may have sent a transfer.
if (typeof addEventListener === 'function') {
  addEventListener('storage', (event) => {
    if (event.key === KEY) useBook.setState(parseTransfers(event.newValue, Date.now()), true)
  })
}

function change(payment: string, to: (list: readonly WalletTransfer[]) => readonly WalletTransfer[]): void {
  const book = parseTransfers(local.get(KEY), Date.now())
  const next = { ...useBook.getState(), ...book, [payment]: to(useBook.getState()[payment] ?? NOTHING) }
  useBook.setState(next, true)
  local.set(KEY, JSON.stringify(next))
}

/** Stores a transfer before the wallet is asked, so that it is not lost if the page is closed. */
export function recordRequested(payment: string, amount: string): string {
  const id = uuid()
  change(payment, (list) => [...list, { id, hash: null, amount, at: Date.now() }])
  return id
}

export function recordSent(payment: string, id: string, hash: string): void {
  change(payment, (list) => list.map((one) => (one.id === id ? { ...one, hash } : one)))
}

/** Removes a transfer that the user refused in the wallet, because nothing was sent. */
export function removeRefused(payment: string, id: string): void {
  change(payment, (list) => list.filter((one) => one.id !== id))
}

/** Returns this browser's transfers of the last day for an ad or order, oldest first, from all tabs. */
export function useWalletTransfers(payment: string): readonly WalletTransfer[] {
  return useBook((book) => book[payment] ?? NOTHING)
}
