/** Short names for the generated types of NFTs, as in `types.ts`. */
import type { components } from './schema'

type Schemas = components['schemas']

export type Album = Schemas['Album']
export type AlbumTrait = Schemas['AlbumTrait']
export type CustodyState = Schemas['CustodyState']
export type MetadataFault = Schemas['MetadataFault']
export type Nft = Schemas['Nft']
export type NftEvent = Schemas['NftEvent']
export type NftFacts = Schemas['NftFacts']
export type NftTransfer = Schemas['NftTransfer']
export type OwnedNft = Schemas['OwnedNft']
export type Prepaying = Schemas['Prepaying']
export type Prepayment = Schemas['Prepayment']
