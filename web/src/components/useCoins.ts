import { useQuery } from '@tanstack/react-query'
import { coinConfig } from '@/api/queries'
import type { Pair } from '@/api/types'

const DEFAULT_SCALE = 8

export interface Coins {
  pairs: readonly Pair[]
  /** Returns the number of decimals that amounts of the coin may have, at most eight. */
  scale: (coin: string) => number
  isFiat: (coin: string) => boolean
  /** Returns whether the code stands for the NFTs of an album, which the lists of coins leave out. */
  isAlbum: (coin: string) => boolean
  /** Returns the network fee of returning the coin from escrow; null for a fiat currency. */
  returnFee: (coin: string) => string | null
  pair: (base: string, quote: string) => Pair | undefined
  /** The number of characters that a remark may have. */
  remarkMax: number | undefined
  /** The address of the block explorer of the escrow chain; null if there is none. */
  explorer: string | null
}

/** Returns assets and pairs from the server's configuration. */
export function useCoins(): Coins {
  const { data } = useQuery(coinConfig)
  const coins = data?.coins ?? []
  const pairs = data?.pairs ?? []
  const find = (coin: string) => coins.find((one) => one.enShort === coin)
  return {
    pairs: pairs.filter((one) => one.on),
    scale: (coin) => Math.min(DEFAULT_SCALE, find(coin)?.assetScale ?? DEFAULT_SCALE),
    isFiat: (coin) => find(coin)?.kind === 'fiat',
    isAlbum: (coin) => find(coin)?.kind === 'erc721',
    returnFee: (coin) => {
      const found = find(coin)
      return found === undefined || found.kind === 'fiat' ? null : found.returnGas
    },
    pair: (base, quote) => pairs.find((one) => one.base === base && one.quote === quote),
    remarkMax: data?.remarkMax,
    explorer: data?.explorer ?? null,
  }
}
