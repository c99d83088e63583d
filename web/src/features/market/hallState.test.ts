import { expect, test } from 'vitest'
import { filterHall, hallQuery, isFiltered, NO_FILTERS, useHall } from './hallState'

test('who wants to buy sees sellers, cheapest first; who wants to sell, buyers, dearest first', () => {
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

test('only what was asked for is sent', () => {
  filterHall({ amount: '50', method: 'bankCard', certified: true, sort: '-quantity' })
  const query = hallQuery({ ...useHall.getState(), base: 'MEC', quote: 'USD' }, 1, 20)
  expect(query).toMatchObject({ amount: '50', method: 'bankCard', certified: true, sort: '-quantity' })
  expect(query).not.toHaveProperty('fast')
  expect(query).not.toHaveProperty('region')
})

test('pair, wish and order are no filters; anything else is, until it is cleared', () => {
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
