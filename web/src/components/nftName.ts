import { type NftSummary, nftOf } from '@/api/nfts'
import type { Formats } from '@/i18n/format'
import { shorten } from '@/lib/text'

/** Returns the album and number of an NFT, which tell it from all others. */
export function nftName({ album, nftId }: Pick<NftSummary, 'album' | 'nftId'>): string {
  return `${album} #${shorten(nftId)}`
}

/** Returns what is traded, for a sentence: an amount of coins, or the NFT. */
export function tradedText(amount: Formats['amount'], one: { base: string }, quantity: string): string {
  const nft = nftOf(one)
  return nft === null ? `${amount(quantity)} ${one.base}` : nftName(nft)
}
