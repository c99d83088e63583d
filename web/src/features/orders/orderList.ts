import { create } from 'zustand'
import { currentLocation, navigate } from '@/navigation/location'
import { hrefTo, type Query } from '@/navigation/navigation'

/** Which orders the screen lists. The filters are about finished orders. */
export interface OrderList {
  which: 'open' | 'finished'
  /** The counterparty's nickname, or the beginning of an ID. */
  search: string
  /** The first and the last day, as `2026-01-31` in the time zone of this device. */
  from: string
  to: string
  coin: string
}

export const NO_FILTERS = { search: '', from: '', to: '', coin: '' } as const

/** The list that was last chosen. */
export const useOrderList = create<OrderList>(() => ({ which: 'open', ...NO_FILTERS }))

const PATH = '/order'

/** Returns the query parameters of an address that keeps the list. */
function addressOf({ which, ...filters }: OrderList): Query {
  return which === 'open' ? {} : { show: which, ...filters }
}

/** Returns the list of an address, or null if it names none. What is no day is left out. */
export function readOrderList(address: string): OrderList | null {
  const query = new URLSearchParams(address.split('?')[1])
  const text = (name: string) => query.get(name) ?? ''
  const day = (name: string) => (startOf(text(name)) === null ? '' : text(name))
  if (text('show') !== 'finished') return null
  return { which: 'finished', search: text('search'), from: day('from'), to: day('to'), coin: text('coin') }
}

/** Shows another list, and keeps it in the address. */
export function showOrders(list: Partial<OrderList>): void {
  const { pathname, search } = currentLocation()
  if (pathname !== PATH) return
  useOrderList.setState(list)
  // The order that a desktop shows beside the list.
  const id = new URLSearchParams(search).get('id') ?? ''
  navigate(hrefTo(PATH, { ...addressOf(useOrderList.getState()), id }), true)
}

/** Takes the list from the address of the screen. One without a list gets the one that was last chosen. */
export function followAddress(address: string): void {
  const asked = readOrderList(address)
  if (asked !== null) useOrderList.setState(asked)
  else if (useOrderList.getState().which !== 'open') showOrders({})
}

export function isFiltered({ search, from, to, coin }: OrderList): boolean {
  return [search.trim(), from, to, coin].some((one) => one !== '')
}

type Filters = Partial<Record<'search' | 'from' | 'to' | 'asset', string>>

/** Returns the filters for the server: whole days of this device, as instants. */
export function filtersOf({ search, from, to, coin }: OrderList): Filters {
  const start = startOf(from)
  const end = startOf(to, 1)
  return {
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(start === null ? {} : { from: start }),
    ...(end === null ? {} : { to: end }),
    ...(coin === '' ? {} : { asset: coin }),
  }
}

/** Returns when a day, or one after it, begins on this device; null if the text is no day. */
function startOf(day: string, later = 0): string | null {
  const at = new Date(`${day}T00:00`)
  if (day === '' || Number.isNaN(at.getTime())) return null
  // By the calendar, because a day may have 23 or 25 hours.
  at.setDate(at.getDate() + later)
  return at.toISOString()
}
