/** Short names for the generated types of NFTs, as in `types.ts`. */
import type { components } from './schema'

type Schemas = components['schemas']

export type Album = Schemas['Album']
export type CustodyState = Schemas['CustodyState']
export type MetadataFault = Schemas['MetadataFault']
export type Nft = Schemas['Nft']
export type NftEvent = Schemas['NftEvent']
export type NftFacts = Schemas['NftFacts']
export type NftHistory = Schemas['NftHistory']
export type OwnedNft = Schemas['OwnedNft']
export type Prepayment = Schemas['Prepayment']
