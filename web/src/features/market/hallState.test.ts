import { expect, test } from 'vitest'
import type { Pair } from '@/api/types'
import { hrefTo } from '@/navigation/navigation'
import {
  countHidden,
  hallAddress,
  hallQuery,
  isFiltered,
  NO_FILTERS,
  readHall,
  START,
  settled,
  unfiltered,
} from './hallState'

const FILTER = { ...START, base: 'MEC', quote: 'USD' }

function pair(base: string, quote: string, methodTypes: string[]): Pair {
  return {
    base,
    quote,
    methodTypes,
    album: null,
    on: true,
    priceDecimals: 4,
    priceMin: null,
    priceMax: null,
    orderMin: '10',
    orderMax: '50000',
    feeRate: '0.001',
    feeMinimum: '0.01',
    automatic: false,
    automaticChainType: null,
    windowMinutes: 30,
    windowMinutesMin: 10,
    windowMinutesMax: 60,
    chainTypes: [],
    lastPrice: null,
    sides: ['SELL', 'BUY'],
    depositMinutes: 15,
  }
}

test('a buyer sees sell ads, cheapest first; a seller sees buy ads, highest price first', () => {
  expect(hallQuery({ ...FILTER, wish: 'BUY' }, 1, 20)).toEqual({
    side: 'SELL',
    base: 'MEC',
    quote: 'USD',
    sort: 'price',
    page: 1,
    size: 20,
  })
  expect(hallQuery({ ...FILTER, wish: 'SELL' }, 2, 20)).toMatchObject({
    side: 'BUY',
    sort: '-price',
    page: 2,
  })
})

const ALBUM: Pair = { ...pair('ART', 'USDT', []), album: 'gardens', sides: ['SELL'] }
const COINS = pair('MEC', 'USD', ['bankCard'])
const NFTS = { ...START, wish: 'NFT', quote: 'USDT' } as const

test('NFTs are those of all albums until one is chosen', () => {
  expect(hallQuery({ ...NFTS, priceMin: '5', traits: [['Sky', 'Blue']] }, 1, 24)).toEqual({
    side: 'SELL',
    quote: 'USDT',
    priceMin: '5',
    traits: [{ name: 'Sky', value: 'Blue' }],
    sort: 'price',
    page: 1,
    size: 24,
  })
  expect(hallQuery({ ...NFTS, base: 'ART' }, 1, 24)).toMatchObject({ base: 'ART', side: 'SELL' })
})

test('the section of NFTs keeps what belongs to its album and quote', () => {
  const filter = { ...NFTS, base: 'ART', priceMax: '9', traits: [['Sky', 'Blue']] as const }
  expect(settled(filter, [COINS, ALBUM])).toEqual(filter)
  // Traits belong to an album, prices to a quote.
  expect(settled({ ...filter, base: 'GONE' }, [COINS, ALBUM])).toEqual({ ...filter, base: '', traits: [] })
  expect(settled({ ...filter, base: '', quote: 'XYZ' }, [COINS, ALBUM])).toEqual(NFTS)
  // An address that names an album is about its NFTs, whatever it wishes.
  expect(settled({ ...filter, wish: 'SELL' }, [COINS, ALBUM])).toEqual(filter)
  // What only coins can be filtered by, and sorted by.
  const coins = { amount: '5', methods: ['bankCard'] } as const
  expect(settled({ ...filter, ...coins, sort: '-quantity' }, [COINS, ALBUM])).toEqual(filter)
  const those = { region: 'BR', certified: true, fast: true, requirementsMet: true } as const
  const traders = { ...filter, methods: ['bankCard'], ...those } as const
  expect(settled(traders, [COINS, ALBUM])).toEqual({ ...traders, methods: [] })
  const fiat = { ...ALBUM, quote: 'USD', methodTypes: ['bankCard'] }
  expect(settled({ ...traders, base: '', traits: [], quote: 'USD' }, [COINS, ALBUM, fiat]).methods).toEqual([
    'bankCard',
  ])
  expect(settled({ ...filter, sort: 'newest' }, [COINS, ALBUM])).toEqual({ ...filter, sort: 'newest' })
  expect(settled({ ...FILTER, sort: 'newest' }, [COINS, ALBUM])).toEqual(FILTER)
  expect(settled({ ...FILTER, sort: '-quantity' }, [COINS, ALBUM])).toEqual({ ...FILTER, sort: '-quantity' })
  // Without albums, coins are shown, without the filters of NFTs.
  expect(settled(filter, [COINS])).toEqual({ ...START, base: 'MEC', quote: 'USD' })
})

test('clearing the filters of NFTs clears the album too, but not that of coins', () => {
  const filter = { ...NFTS, base: 'ART', priceMin: '1', sort: '-price' } as const
  expect(isFiltered(filter)).toBe(true)
  expect(isFiltered({ ...NFTS, base: 'ART' })).toBe(true)
  expect(unfiltered(filter)).toEqual({ ...NFTS, sort: '-price' })
  expect(isFiltered(unfiltered(filter))).toBe(false)
  expect(unfiltered({ ...FILTER, amount: '5' })).toEqual(FILTER)
})

test('a range of prices of which the highest is below the lowest has only a lowest', () => {
  const read = (min: string, max: string) => readHall(`/?wish=NFT&quote=USDT&priceMin=${min}&priceMax=${max}`)
  expect(read('2', '10')).toMatchObject({ priceMin: '2', priceMax: '10' })
  expect(read('10', '2')).toMatchObject({ priceMin: '10', priceMax: '' })
})

test('traits in an address that are none are left out', () => {
  const read = (text: string) => readHall(`/?wish=NFT&quote=USDT&traits=${encodeURIComponent(text)}`)?.traits
  expect(read('[["Sky","Blue"],["","Rare"]]')).toEqual([
    ['Sky', 'Blue'],
    ['', 'Rare'],
  ])
  expect(read('[["Sky"],["Sky",1],7,null,["Sky","Red"]]')).toEqual([['Sky', 'Red']])
  for (const text of ['', '{}', 'Sky', '[[']) expect(read(text), text).toEqual([])
  const many = JSON.stringify(Array.from({ length: 40 }, (_, index) => ['Sky', `${index}`]))
  expect(read(many)).toHaveLength(30)
})

test('the query contains only the filters that are set', () => {
  const set = { amount: '50', methods: ['bankCard', 'zelle'], certified: true, sort: '-quantity' } as const
  const query = hallQuery({ ...FILTER, ...set }, 1, 20)
  expect(query).toMatchObject(set)
  expect(query).not.toHaveProperty('fast')
  expect(query).not.toHaveProperty('requirementsMet')
  expect(hallQuery({ ...FILTER, requirementsMet: true }, 1, 20)).toMatchObject({ requirementsMet: true })
  expect(query).not.toHaveProperty('region')
})

test('everything except pair, side and sort order counts as a filter until it is cleared', () => {
  const plain = { ...FILTER, wish: 'SELL', sort: 'price' } as const
  expect(isFiltered(plain)).toBe(false)
  for (const set of [
    { amount: '5' },
    { methods: ['pix'] },
    { region: 'BR' },
    { certified: true },
    { fast: true },
    { requirementsMet: true },
    { priceMin: '1' },
    { priceMax: '1' },
    { traits: [['Sky', 'Blue']] as const },
  ]) {
    expect(isFiltered({ ...plain, ...set })).toBe(true)
    expect(isFiltered({ ...plain, ...set, ...NO_FILTERS })).toBe(false)
  }
})

test('the button of the filters counts what a phone does not show: not pair, side and amount', () => {
  expect(countHidden({ ...FILTER, wish: 'SELL', amount: '5' })).toBe(0)
  expect(countHidden({ ...FILTER, methods: ['pix', 'zelle'], certified: true, sort: '-quantity' })).toBe(3)
  expect(countHidden({ ...FILTER, requirementsMet: true })).toBe(1)
})

test('an address keeps every filter', () => {
  for (const filter of [
    FILTER,
    { ...FILTER, wish: 'SELL', amount: '50.25', methods: ['bankCard', 'pix'], region: 'ES', certified: true },
    { ...FILTER, fast: true, sort: '-quantity' },
    { ...FILTER, requirementsMet: true },
    { ...FILTER, base: 'ART', quote: 'USDT', sort: '-price' },
    { ...NFTS, sort: 'newest' },
    { ...NFTS, base: 'ART', priceMin: '1.5', priceMax: '20', traits: [['Sky, "old"', 'Blue & grey']] },
  ] as const) {
    expect(readHall(hrefTo('/', hallAddress(filter)))).toEqual(filter)
  }
})

test('an address without a pair has no filters, and nonsense in one is left out', () => {
  expect(readHall('/')).toBeNull()
  expect(readHall('/?amount=5&fast=true')).toBeNull()
  expect(
    readHall('/?base=MEC&quote=USD&wish=GIFT&amount=1e9x.&region=Spain&certified=1&sort=random'),
  ).toEqual({ ...FILTER, amount: '19' })
})

test('payment methods are in effect once, and in the order of the pair', () => {
  const read = readHall('/?base=MEC&quote=USD&methods=zelle,,pix,bankCard,zelle') ?? START
  expect(settled(read, [pair('MEC', 'USD', ['bankCard', 'zelle'])]).methods).toEqual(['bankCard', 'zelle'])
})

test('an unknown pair becomes the first one, without an amount or method that belonged to it', () => {
  const pairs = [pair('MEC', 'EUR', ['sepa']), pair('MEC', 'USD', ['bankCard'])]
  const set = { amount: '5', methods: ['bankCard'], certified: true } as const
  expect(settled({ ...FILTER, ...set }, pairs)).toEqual({ ...FILTER, ...set })
  expect(settled({ ...FILTER, ...set, quote: 'XYZ' }, pairs)).toEqual({
    ...FILTER,
    quote: 'EUR',
    certified: true,
  })
  expect(settled({ ...FILTER, methods: ['sepa', 'bankCard'] }, pairs).methods).toEqual(['bankCard'])
  expect(settled(FILTER, [])).toEqual({ ...FILTER, base: '', quote: '' })
})
