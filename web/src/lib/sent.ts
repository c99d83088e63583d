import { create } from 'zustand'
import { local } from './storage'
import { uuid } from './uuid'

/** One transfer that a wallet was asked for from this browser. */
export interface Sent {
  id: string
  /** Of the transaction; null while the wallet has not said, and for good when the page was left before it did. */
  hash: string | null
  amount: string
  /** When the wallet was asked, in milliseconds of this device's clock. */
  at: number
}

const KEY = 'sent'
const KEPT_MS = 86_400_000

type Book = Readonly<Record<string, readonly Sent[]>>

function isSent(value: unknown): value is Sent {
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

/** What is kept, without what is older than a day; what cannot be read is nothing. */
export function readSent(text: string | null, now: number): Book {
  let kept: unknown
  try {
    kept = JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
  if (typeof kept !== 'object' || kept === null) return {}
  const book: Record<string, readonly Sent[]> = {}
  for (const [payment, list] of Object.entries(kept)) {
    const young = Array.isArray(list) ? list.filter(isSent).filter((one) => now - one.at < KEPT_MS) : []
    if (young.length > 0) book[payment] = young
  }
  return book
}

const useBook = create<Book>(() => readSent(local.get(KEY), Date.now()))
const NOTHING: readonly Sent[] = []

// Another tab may have sent something.
if (typeof addEventListener === 'function') {
  addEventListener('storage', (event) => {
    if (event.key === KEY) useBook.setState(readSent(event.newValue, Date.now()), true)
  })
}

function change(payment: string, to: (list: readonly Sent[]) => readonly Sent[]): void {
  const book = readSent(local.get(KEY), Date.now())
  const next = { ...useBook.getState(), ...book, [payment]: to(useBook.getState()[payment] ?? NOTHING) }
  useBook.setState(next, true)
  local.set(KEY, JSON.stringify(next))
}

/** Written down before the wallet is asked, so that not even a page that is left then forgets it. */
export function noteAsked(payment: string, amount: string): string {
  const id = uuid()
  change(payment, (list) => [...list, { id, hash: null, amount, at: Date.now() }])
  return id
}

export function noteSent(payment: string, id: string, hash: string): void {
  change(payment, (list) => list.map((one) => (one.id === id ? { ...one, hash } : one)))
}

/** The wallet refused: nothing left it. */
export function noteRefused(payment: string, id: string): void {
  change(payment, (list) => list.filter((one) => one.id !== id))
}

/** What was sent for a payment from this browser, oldest first: kept over a reload and over tabs, for a day. */
export function useSent(payment: string): readonly Sent[] {
  return useBook((book) => book[payment] ?? NOTHING)
}
