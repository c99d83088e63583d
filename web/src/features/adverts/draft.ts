import { create } from 'zustand'
import type { Nft } from '@/api/nfts'
import type { AdvertKind, AdvertSide, CreateAdvert, Pair, PriceCheck, TakerRequirements } from '@/api/types'
import type { Decimal } from '@/lib/decimal'
import { compare, min, total } from '@/lib/money'

/** An ad before it is created. It survives leaving the screen, for example to add a payment method. */
export interface Draft {
  side: AdvertSide
  base: string
  quote: string
  /** The kind of release; null until the user chooses, if both kinds are possible. */
  kind: AdvertKind | null
  price: string
  quantity: string
  orderMin: string
  orderMax: string
  methodIds: string[]
  /** How long buyers have to pay; null for the pair's default. */
  windowMinutes: number | null
  remark: string
  takerRequirements: TakerRequirements
  /** The number of the NFT that the ad sells; empty for coins. */
  nftId: string
  /** The NFT, if it is in custody. */
  nft: Nft | null
}

const EMPTY: Draft = {
  side: 'SELL',
  base: '',
  quote: '',
  kind: null,
  price: '',
  quantity: '',
  orderMin: '',
  orderMax: '',
  methodIds: [],
  windowMinutes: null,
  remark: '',
  takerRequirements: {},
  nftId: '',
  nft: null,
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

/** Changes the side of the draft. Whatever else it says fits an ad of either side. */
export function chooseSide(side: AdvertSide): void {
  editDraft({ side })
}

/** Chooses what is traded, and clears what belonged to another base. */
export function chooseBase(base: string): void {
  editDraft({
    base,
    quote: '',
    kind: null,
    methodIds: [],
    price: '',
    windowMinutes: null,
    nftId: '',
    nft: null,
  })
}

/** Chooses an NFT in custody to sell. `base` is that of the pairs of its album. */
export function offerNft(nft: Nft, base: string): void {
  chooseSide('SELL')
  chooseBase(base)
  editDraft({ nftId: nft.nftId, nft })
}

/** Chooses how it is paid, and clears what belonged to another pair. */
export function chooseQuote(pair: Pair): void {
  editDraft({
    quote: pair.quote,
    methodIds: [],
    price: '',
    orderMin: pair.orderMin,
    orderMax: '',
    kind: pair.automatic ? null : 'MANUAL',
    windowMinutes: null,
  })
}

/** Changes some of what the ad requires of takers. */
export function requireOfTakers(change: TakerRequirements): void {
  useDraft.setState(({ draft }) => ({
    draft: { ...draft, takerRequirements: { ...draft.takerRequirements, ...change } },
  }))
}

export function clearDraft(): void {
  useDraft.setState({ draft: EMPTY, refused: null })
}

export type Field =
  | 'kind'
  | 'nftId'
  | 'price'
  | 'quantity'
  | 'orderMin'
  | 'orderMax'
  | 'windowMinutes'
  | 'methods'
  | 'remark'
  | 'takerRequirements.completedOrders'
  | 'takerRequirements.region'
export type Fault =
  | { why: 'missing' }
  | { why: 'below'; bound: Decimal }
  | { why: 'above'; bound: Decimal }
  | { why: 'contact' }
  | { why: 'words' }

/** Returns the total of the largest possible order, which the form suggests: the whole quantity, within the pair's limit. */
export function maxPerOrder(draft: Draft, pair: Pair, quoteScale: number): Decimal | null {
  const whole = total(draft.quantity, draft.price, quoteScale)
  if (whole === null) return null
  return min(whole, pair.orderMax)
}

/**
 * Returns the fields without an answer and those outside the limits that the server has published for the pair, in wizard
 * order. The server checks everything when the ad is created, and its refusals are shown at their fields.
 */
export function draftFaults(draft: Draft, pair: Pair): Partial<Record<Field, Fault>> {
  const found: Partial<Record<Field, Fault>> = {}
  if (pair.automatic && draft.kind === null) found.kind = { why: 'missing' }
  // An NFT has neither a quantity nor limits.
  const nft = pair.album !== null
  if (nft && draft.nftId === '') found.nftId = { why: 'missing' }
  const amounts = nft ? (['price'] as const) : (['price', 'quantity', 'orderMin', 'orderMax'] as const)
  for (const field of amounts) if (compare(draft[field], '0') !== 1) found[field] = { why: 'missing' }
  // An order on an NFT has the total that is its price.
  const [least, most] = nft ? (['price', 'price'] as const) : (['orderMin', 'orderMax'] as const)
  if (compare(draft[least], pair.orderMin) === -1 && !found[least])
    found[least] = { why: 'below', bound: pair.orderMin }
  if (compare(draft[most], pair.orderMax) === 1) found[most] = { why: 'above', bound: pair.orderMax }
  if (pair.methodTypes.length > 0 && draft.methodIds.length === 0) found.methods = { why: 'missing' }
  return found
}

/** Returns the fault of a price that the server would refuse: one outside the price band, which is around a reference price. */
export function priceFault(check: PriceCheck | undefined): Fault | undefined {
  if (check?.far !== true) return undefined
  const below = check.distance?.startsWith('-') === true
  const bound = below ? check.priceMin : check.priceMax
  return bound === null ? undefined : { why: below ? 'below' : 'above', bound }
}

/** Returns whether buyers pay the orders of an ad. Those of an automatic ad that buys are paid from its escrow. */
export function buyersPay({ side, kind }: { side: AdvertSide; kind: AdvertKind | null }): boolean {
  return side === 'SELL' || kind !== 'AUTOMATIC'
}

/** The payment windows to offer, if the pair allows them, besides its default and its limits. */
const USUAL_MINUTES = [15, 30, 60]

/** Returns the payment windows to choose from, shortest first. */
export function windowChoices(pair: Pair): number[] {
  const { windowMinutes, windowMinutesMin: least, windowMinutesMax: most } = pair
  const usual = USUAL_MINUTES.filter((minutes) => least < minutes && minutes < most)
  return Array.from(new Set([least, ...usual, windowMinutes, most])).toSorted((a, b) => a - b)
}

/** The fields of each wizard step. */
export const STEP_FIELDS: readonly (readonly Field[])[] = [
  ['kind'],
  ['nftId', 'price', 'quantity'],
  [
    'orderMin',
    'orderMax',
    'windowMinutes',
    'methods',
    'remark',
    'takerRequirements.completedOrders',
    'takerRequirements.region',
  ],
  [],
]

/** @param confirmed whether the user has confirmed a price that is far from the market */
export function createAdvertBody(draft: Draft, pair: Pair, confirmed = false): CreateAdvert {
  const amounts =
    pair.album === null
      ? { quantity: draft.quantity, orderMin: draft.orderMin, orderMax: draft.orderMax }
      : { nftId: draft.nftId }
  return {
    side: draft.side,
    kind: draft.kind ?? 'MANUAL',
    base: draft.base,
    quote: draft.quote,
    price: draft.price,
    ...amounts,
    ...(pair.methodTypes.length > 0 ? { paymentMethodIds: draft.methodIds } : {}),
    farPriceConfirmed: confirmed,
    ...(draft.windowMinutes === null || !buyersPay(draft) ? {} : { windowMinutes: draft.windowMinutes }),
    ...(draft.remark.trim() === '' ? {} : { remark: draft.remark.trim() }),
    takerRequirements: draft.takerRequirements,
  }
}
