import type { Formats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import type { Nft } from './nfts'

/** Returns the album and number of an NFT, which tell it from all others. */
export function nftName({ album, nftId }: Pick<Nft, 'album' | 'nftId'>): string {
  return `${album} #${shorten(nftId)}`
}

type Amount = Formats['amount']

/** What an ad or order trades: coins of the base, or an NFT. */
export interface Traded {
  base: string
  nft: Nft | null
}

/** Returns an amount of an asset that an ad or order moves: of its base, the NFT if it is about one. */
export function movedText(amount: Amount, about: Traded, asset: string, quantity: string): string {
  const nft = asset === about.base ? about.nft : null
  return nft === null ? `${amount(quantity)} ${asset}` : nftName(nft)
}

/** Returns whether an ad or order moves its NFT, if an asset moves. */
export function movesNft(about: Traded, asset: string): boolean {
  return about.nft !== null && asset === about.base
}

/** Returns what an ad or order trades: an amount of coins, or an NFT. */
export function tradedText(amount: Amount, about: Traded, quantity: string): string {
  return movedText(amount, about, about.base, quantity)
}
