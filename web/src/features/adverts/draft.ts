import { create } from 'zustand'
import type { AdvertKind, CreateAdvert, Pair } from '@/api/types'
import { compare, type Decimal, min, parse, total } from '@/lib/money'

/** An ad before it is created. It survives leaving the screen, for example to add a payment method. */
export interface Draft {
  base: string
  quote: string
  /** The kind of release; null until the user chooses, if both kinds are possible. */
  kind: AdvertKind | null
  price: string
  quantity: string
  orderMin: string
  orderMax: string
  methodIds: string[]
  remark: string
}

const EMPTY: Draft = {
  base: '',
  quote: '',
  kind: null,
  price: '',
  quantity: '',
  orderMin: '',
  orderMax: '',
  methodIds: [],
  remark: '',
}

/** What the server refused: the field that it is about, the error, and the draft, of which another version may be all right. */
export interface Refused {
  field: Field
  error: unknown
  draft: Draft
}

/** Kept outside the wizard, because each of its steps is a screen of its own. */
export const useDraft = create<{ draft: Draft; refused: Refused | null }>(() => ({
  draft: EMPTY,
  refused: null,
}))

export function setRefused(refused: Refused): void {
  useDraft.setState({ refused })
}

export function editDraft(change: Partial<Draft>): void {
  useDraft.setState(({ draft }) => ({ draft: { ...draft, ...change } }))
}

export function clearDraft(): void {
  useDraft.setState({ draft: EMPTY, refused: null })
}

export type Field = 'kind' | 'price' | 'quantity' | 'orderMin' | 'orderMax' | 'methods' | 'remark'
export type Fault =
  | { why: 'missing' }
  | { why: 'below'; bound: Decimal }
  | { why: 'above'; bound: Decimal }
  | { why: 'minAboveMax' }
  | { why: 'contact' }
  | { why: 'words' }

export const REMARK_MAX = 100

/** Returns the total of the largest possible order: the whole quantity, within the pair's limit. */
export function maxPerOrder(draft: Draft, pair: Pair, quoteScale: number): Decimal | null {
  const whole = total(draft.quantity, draft.price, quoteScale)
  if (whole === null) return null
  return min(whole, pair.orderMax)
}

/** Returns the fault of each invalid field, in wizard order. The server checks again. */
export function draftFaults(draft: Draft, pair: Pair, quoteScale: number): Partial<Record<Field, Fault>> {
  const found: Partial<Record<Field, Fault>> = {}
  if (pair.automatic && draft.kind === null) found.kind = { why: 'missing' }
  const positive = (value: string) => parse(value) !== null && compare(value, '0') === 1
  if (!positive(draft.price)) found.price = { why: 'missing' }
  else if (pair.priceMin !== null && compare(draft.price, pair.priceMin) === -1) {
    found.price = { why: 'below', bound: pair.priceMin }
  } else if (pair.priceMax !== null && compare(draft.price, pair.priceMax) === 1) {
    found.price = { why: 'above', bound: pair.priceMax }
  }
  if (!positive(draft.quantity)) found.quantity = { why: 'missing' }
  const most = maxPerOrder(draft, pair, quoteScale)
  if (!positive(draft.orderMin)) found.orderMin = { why: 'missing' }
  else if (compare(draft.orderMin, pair.orderMin) === -1)
    found.orderMin = { why: 'below', bound: pair.orderMin }
  if (!positive(draft.orderMax)) found.orderMax = { why: 'missing' }
  else if (most !== null && compare(draft.orderMax, most) === 1)
    found.orderMax = { why: 'above', bound: most }
  else if (compare(draft.orderMin, draft.orderMax) === 1) found.orderMax = { why: 'minAboveMax' }
  if (pair.methodTypes.length > 0 && draft.methodIds.length === 0) found.methods = { why: 'missing' }
  return found
}

/** The fields of each wizard step. */
export const STEP_FIELDS: readonly (readonly Field[])[] = [
  ['kind'],
  ['price', 'quantity'],
  ['orderMin', 'orderMax', 'methods', 'remark'],
  [],
]

/** @param confirmed whether the user has confirmed a price that is far from the market */
export function createAdvertBody(draft: Draft, pair: Pair, confirmed = false): CreateAdvert {
  return {
    side: 'SELL',
    kind: draft.kind ?? 'MANUAL',
    base: draft.base,
    quote: draft.quote,
    price: draft.price,
    quantity: draft.quantity,
    orderMin: draft.orderMin,
    orderMax: draft.orderMax,
    ...(pair.methodTypes.length > 0 ? { paymentMethodIds: draft.methodIds } : {}),
    farPriceConfirmed: confirmed,
    ...(draft.remark.trim() === '' ? {} : { remark: draft.remark.trim() }),
  }
}
