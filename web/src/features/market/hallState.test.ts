import { expect, test } from 'vitest'
import { filterHall, hallQuery, isFiltered, NO_FILTERS, useHall } from './hallState'

test('a buyer sees sell ads, cheapest first; a seller sees buy ads, highest price first', () => {
  const filter = { ...useHall.getState(), base: 'MEC', quote: 'USD' }
  expect(hallQuery({ ...filter, wish: 'BUY' }, 1, 20)).toEqual({
    side: 'SELL',
    base: 'MEC',
    quote: 'USD',
    sort: 'price',
    page: 1,
    size: 20,
  })
  expect(hallQuery({ ...filter, wish: 'SELL' }, 2, 20)).toMatchObject({
    side: 'BUY',
    sort: '-price',
    page: 2,
  })
})

test('the query contains only the filters that are set', () => {
  filterHall({ amount: '50', method: 'bankCard', certified: true, sort: '-quantity' })
  const query = hallQuery({ ...useHall.getState(), base: 'MEC', quote: 'USD' }, 1, 20)
  expect(query).toMatchObject({ amount: '50', method: 'bankCard', certified: true, sort: '-quantity' })
  expect(query).not.toHaveProperty('fast')
  expect(query).not.toHaveProperty('region')
})

test('everything except pair, side and sort order counts as a filter until it is cleared', () => {
  const plain = {
    ...useHall.getState(),
    ...NO_FILTERS,
    base: 'MEC',
    quote: 'USD',
    wish: 'SELL',
    sort: 'price',
  } as const
  expect(isFiltered(plain)).toBe(false)
  for (const set of [
    { amount: '5' },
    { method: 'pix' },
    { region: 'BR' },
    { certified: true },
    { fast: true },
  ]) {
    expect(isFiltered({ ...plain, ...set })).toBe(true)
    expect(isFiltered({ ...plain, ...set, ...NO_FILTERS })).toBe(false)
  }
})
