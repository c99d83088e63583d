import { expect, test } from 'vitest'
import { filtersOf, isFiltered, NO_FILTERS, type OrderList, readOrderList } from './orderList'

const list = (some: Partial<OrderList>): OrderList => ({ which: 'finished', ...NO_FILTERS, ...some })

test('an address keeps the list, and what makes no sense in it is left out', () => {
  expect(readOrderList('/order')).toBeNull()
  expect(readOrderList('/order?search=kaya')).toBeNull()
  expect(readOrderList('/order?show=finished&search=kaya&from=2026-01-31&to=2026-02-01&coin=MEC')).toEqual(
    list({ search: 'kaya', from: '2026-01-31', to: '2026-02-01', coin: 'MEC' }),
  )
  expect(readOrderList('/order?show=finished&from=yesterday&to=2026-13-01')).toEqual(list({}))
})

test('days are sent as the instants at which they begin and end on this device', () => {
  expect(filtersOf(list({ from: '2026-01-31', to: '2026-01-31' }))).toEqual({
    from: new Date(2026, 0, 31).toISOString(),
    to: new Date(2026, 1, 1).toISOString(),
  })
  // Also where the clocks change on one of these days.
  for (const month of Array.from({ length: 12 }, (_, index) => index)) {
    const day = `2026-${String(month + 1).padStart(2, '0')}-29`
    if (month === 1) continue
    expect(filtersOf(list({ to: day }))).toEqual({ to: new Date(2026, month, 30).toISOString() })
  }
})

test('only what is set filters', () => {
  expect(filtersOf(list({}))).toEqual({})
  expect(filtersOf(list({ search: '  ' }))).toEqual({})
  expect(isFiltered(list({ search: '  ' }))).toBe(false)
  expect(filtersOf(list({ search: ' kaya ', coin: 'MEC' }))).toEqual({ search: 'kaya', asset: 'MEC' })
  expect(isFiltered(list({ coin: 'MEC' }))).toBe(true)
})
