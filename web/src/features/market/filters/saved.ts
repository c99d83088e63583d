import { create } from 'zustand'
import { local } from '@/lib/storage'
import { hrefTo } from '@/navigation/navigation'
import { SAVED_FILTERS } from '@/session/session'
import { type HallFilter, hallAddress, readHall } from '../hallState'

/** The maximum number of saved filters, which fit on the screen. */
export const MAX_SAVED = 10

/** The saved filters of a user on this device, the newest first, as addresses of the hall. */
interface Saved {
  userId: string
  addresses: readonly string[]
}

/** Returns the filters that the user has saved on this device. Those of another user, and what is no filter, are left out. */
function stored(userId: string): Saved {
  const none = { userId, addresses: [] }
  try {
    const read: unknown = JSON.parse(local.get(SAVED_FILTERS) ?? 'null')
    if (typeof read !== 'object' || read === null || !('userId' in read) || read.userId !== userId)
      return none
    const listed: unknown[] = 'addresses' in read && Array.isArray(read.addresses) ? read.addresses : []
    const texts = listed.filter((one): one is string => typeof one === 'string' && readHall(one) !== null)
    return { userId, addresses: texts.slice(0, MAX_SAVED) }
  } catch {
    return none
  }
}

const useSaved = create<Saved>(() => ({ userId: '', addresses: [] }))

function keep(saved: Saved): void {
  local.set(SAVED_FILTERS, JSON.stringify(saved))
  useSaved.setState(saved)
}

/** Returns the address that stands for filters in the list. */
export function savedAddress(filter: HallFilter): string {
  return hrefTo('/', hallAddress(filter))
}

/** Returns the addresses of the user's saved filters. */
export function useSavedFilters(userId: string): readonly string[] {
  const known = useSaved()
  return known.userId === userId ? known.addresses : stored(userId).addresses
}

/** Saves filters for the user, unless the list is full or contains them already. */
export function saveFilter(userId: string, filter: HallFilter): void {
  const { addresses } = stored(userId)
  const address = savedAddress(filter)
  if (addresses.length >= MAX_SAVED || addresses.includes(address)) return
  keep({ userId, addresses: [address, ...addresses] })
}

export function deleteFilter(userId: string, address: string): void {
  keep({ userId, addresses: stored(userId).addresses.filter((one) => one !== address) })
}
