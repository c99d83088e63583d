import type { MatchBody, Pair } from '@/api/types'
import type { Query } from '@/navigation/navigation'
import { type HallFilter, hallAddress, readHall, settled, sideFor } from '../hallState'

/** What a user wants to trade. */
export interface Trade {
  /** The filters of the hall from which the user comes, and to which the user returns. Their amount is in the unit. */
  hall: HallFilter
  /** Whether the amount is in the quote or in the base. */
  unit: 'money' | 'quantity'
  /** The ad from which the user comes; empty without one. */
  advertId: string
}

/**
 * Returns what an address asks for, with the parameters of the hall, and `unit` and `id`. Without a pair, it asks for what was last
 * chosen in the hall: `chosen`.
 */
export function readTrade(address: string, chosen: HallFilter): Trade {
  const query = new URLSearchParams(address.split('?')[1])
  return {
    hall: readHall(address) ?? chosen,
    unit: query.get('unit') === 'quantity' ? 'quantity' : 'money',
    advertId: query.get('id') ?? '',
  }
}

/** Returns the trade for a pair of coins that exists, or null before the pairs are known. */
export function settledTrade(trade: Trade, pairs: readonly Pair[]): Trade | null {
  const coins = pairs.filter((one) => one.album === null)
  const hall = settled(trade.hall, coins)
  return hall.base === '' ? null : { ...trade, hall }
}

export function tradeAddress({ hall, unit, advertId }: Trade): Query {
  return { ...hallAddress(hall), unit: unit === 'money' ? '' : unit, id: advertId }
}

/** Returns what to ask the server for, or null without an amount. */
export function matchBody({ hall, unit, advertId }: Trade): MatchBody | null {
  if (!/[1-9]/.test(hall.amount)) return null
  return {
    side: sideFor(hall.wish),
    base: hall.base,
    quote: hall.quote,
    ...(unit === 'money' ? { amount: hall.amount } : { quantity: hall.amount }),
    methods: [...hall.methods],
    ...(advertId === '' ? {} : { advertId }),
  }
}
