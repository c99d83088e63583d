/**
 * The types of NFTs and of what is known about them. `schema.d.ts` does not have them yet: once it does, the interfaces become
 * short names as in `types.ts`, `NftPaths` goes, and `nftOf`, `depositsOf`, `prepaidOf` and `albumOf` read fields.
 */
import type { Deposit, Sealed } from './types'

/** Why there is no picture: the product has not looked yet, or does not show what it found. */
export type PictureRefusal =
  | 'PENDING'
  | 'NOT_A_PICTURE'
  | 'SVG'
  | 'HTML'
  | 'TOO_LARGE'
  | 'TOO_MANY_FRAMES'
  | 'UNREACHABLE'
  | 'PRIVATE_ADDRESS'
  | 'UNSUPPORTED_SCHEME'
  | 'TOO_SLOW'
  | 'INVALID_METADATA'
  | 'NO_PICTURE'

/** An NFT wherever one is shown. */
export interface NftSummary {
  id: string
  /** The ID of the album. */
  classId: string
  /** The name of the album. */
  album: string
  /** The number in the album: a decimal number of up to 78 digits. */
  nftId: string
  name: string | null
  /** The paths of the pictures, 256 and 1024 pixels wide. */
  picture: { small: string; large: string } | null
  pictureRefused: PictureRefusal | null
}

export type NftState = 'CONFIRMING' | 'AVAILABLE' | 'IN_AD' | 'IN_ORDER' | 'WITHDRAWING'

/** An NFT of the user in custody. */
export interface OwnedNft extends NftSummary {
  state: NftState
  confirmations: number | null
  needed: number | null
  advertId: string | null
  orderId: string | null
  actions: ('SELL' | 'WITHDRAW')[]
  /** The network fee of a withdrawal, which the temporary balance pays. */
  withdrawalGas: string
  gasCoin: string
}

export interface NftChain {
  id: number
  name: string
}

export interface NftDetail extends NftSummary {
  description: string | null
  creator: string | null
  metadataUrl: string | null
  metadataChanged: boolean
  traits: { name: string; value: string }[]
  contract: string
  chain: NftChain
  /** The share of each sale that the creator asks for. The platform does not collect it. */
  royalty: string | null
  holder: { address: string; custody: boolean; burned: boolean } | null
  /** The ad that sells the NFT now. */
  advertId: string | null
  /** The NFT in the custody of the user. */
  mine: OwnedNft | null
}

export type NftEventKind = 'MINTED' | 'TRANSFERRED' | 'BURNED' | 'DEPOSITED' | 'WITHDRAWN' | 'SOLD'

/** An entry of the on-chain history. */
export interface NftEvent {
  at: string
  kind: NftEventKind
  from: string | null
  to: string | null
  hash: string
  explorerUrl: string | null
  confirmed: boolean
  /** The price of a trade on the platform. */
  price: string | null
  quote: string | null
}

export interface AlbumConfig {
  classId: string
  name: string
  /** The base of the album’s pairs. */
  code: string
  description: string | null
  creator: string | null
  contract: string
  chain: NftChain
  royalty: string | null
  /** What a seller prepays for each sale. */
  fee: string
  /** What a seller prepays for the transaction that ends the ad. */
  gas: string
  feeCoin: string
  averagePrice24h: { quote: string; price: string } | null
}

/** What the seller of an NFT has prepaid. */
export interface Prepaid {
  coin: string
  fee: string
  gas: string
}

export interface PageOf<T> {
  records: T[]
  total: number
  page: number
  size: number
}

interface Call<Parameters, Data, Codes = never> {
  parameters: Parameters
  responses: {
    200: {
      headers: { [name: string]: unknown }
      content: { 'application/json': { code: '200'; message: string; data: Data } }
    }
    422: {
      headers: { [name: string]: unknown }
      content: { 'application/json': { code: Codes; message: string; data?: unknown } }
    }
  }
}

type Query<Named> = { query?: Named; path?: never; header?: never; cookie?: never }
type ById<Named = never> = { query?: Named; path: { id: string }; header?: never; cookie?: never }
type Paging = { page?: number; size?: number }

/** The operations about NFTs, in the form of the generated ones. */
export interface NftPaths {
  '/common/class/config': { get: Call<Query<never>, AlbumConfig[]> }
  '/balance/nft/list': { get: Call<Query<Paging & { classId?: string }>, PageOf<OwnedNft>> }
  '/balance/extract/{id}': {
    post: Call<ById, { id: string }, '5019' | '5021' | '5031' | '5036'> & {
      requestBody: { content: { 'application/json': { securityCode: Sealed } } }
    }
  }
  '/nft/{id}': { get: Call<ById, NftDetail, '5031'> }
  '/nft/{id}/history': { get: Call<ById<Paging>, PageOf<NftEvent>, '5031'> }
}

/** The fields that ads, orders, fund records, conversations and pairs are getting. */
type Later = object & {
  nft?: NftSummary | null
  prepaid?: Prepaid | null
  deposit?: Deposit | null
  deposits?: Deposit[]
  album?: string | null
}

/** Returns the NFT that an ad, order, fund record or conversation is about; null if it is about coins. */
export function nftOf(one: Later): NftSummary | null {
  return one.nft ?? null
}

/** Returns what the seller of an ad or order has prepaid; null if it is about coins. */
export function prepaidOf(one: Later): Prepaid | null {
  return one.prepaid ?? null
}

/** Returns the deposits that an ad waits for. */
export function depositsOf({ deposit, deposits }: Later): Deposit[] {
  return deposits ?? (deposit == null ? [] : [deposit])
}

/** Returns the ID of the album whose NFTs a pair trades; null for a pair of coins. */
export function albumOf(pair: Later): string | null {
  return pair.album ?? null
}
