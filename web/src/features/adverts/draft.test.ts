import { expect, test } from 'vitest'
import type { Pair, PriceCheck } from '@/api/types'
import {
  chooseBase,
  chooseQuote,
  chooseSide,
  clearDraft,
  createAdvertBody,
  type Draft,
  draftFaults,
  editDraft,
  offerNft,
  priceFault,
  useDraft,
  windowChoices,
} from './draft'

const pair: Pair = {
  base: 'MEC',
  quote: 'USD',
  on: true,
  priceDecimals: 4,
  priceMin: '0.4',
  priceMax: '0.6',
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
  methodTypes: ['bankCard'],
  lastPrice: '0.5',
  album: null,
  sides: ['SELL', 'BUY'],
  depositMinutes: 15,
}
const good: Draft = {
  side: 'SELL',
  base: 'MEC',
  quote: 'USD',
  kind: 'MANUAL',
  price: '0.5',
  quantity: '1000',
  orderMin: '10',
  orderMax: '500',
  methodIds: ['m1'],
  windowMinutes: null,
  remark: 'Fast and friendly.',
  takerRequirements: {},
  nftId: '',
  nft: null,
}

test('a complete draft has no faults', () => {
  expect(draftFaults(good, pair)).toEqual({})
})

test.each<[string, Partial<Draft>, object]>([
  ['no price', { price: '' }, { price: { why: 'missing' } }],
  ['quantity zero', { quantity: '0' }, { quantity: { why: 'missing' } }],
  ['no minimum', { orderMin: '' }, { orderMin: { why: 'missing' } }],
  ['minimum below the pair’s minimum', { orderMin: '9.99' }, { orderMin: { why: 'below', bound: '10' } }],
  [
    'maximum above the pair’s maximum',
    { orderMax: '50000.01' },
    { orderMax: { why: 'above', bound: '50000' } },
  ],
  ['no payment method', { methodIds: [] }, { methods: { why: 'missing' } }],
])('%s', (_, change, expected) => {
  expect(draftFaults({ ...good, ...change }, pair)).toEqual(expected)
})

test.each<[string, Partial<Draft>]>([
  ['a minimum above the maximum', { orderMin: '300', orderMax: '200' }],
  ['a maximum above the total', { orderMax: '501' }],
  ['a price outside the price band', { price: '0.7' }],
])('the server decides about %s', (_, change) => {
  expect(draftFaults({ ...good, ...change }, pair)).toEqual({})
})

test('a pair without payment methods requires none', () => {
  expect(draftFaults({ ...good, methodIds: [] }, { ...pair, methodTypes: [] })).toEqual({})
})

const far: PriceCheck = {
  market: '0.5',
  source: 'REFERENCE',
  distance: '0.3',
  far: true,
  priceMin: '0.4',
  priceMax: '0.6',
  rank: 1,
  others: 0,
}

test.each<[string, PriceCheck | undefined, object | undefined]>([
  ['above the band', far, { why: 'above', bound: '0.6' }],
  ['below the band', { ...far, distance: '-0.3' }, { why: 'below', bound: '0.4' }],
  ['within the band', { ...far, far: false }, undefined],
  [
    'far from the last trade, which the user can confirm',
    { ...far, source: 'LAST_TRADE', priceMin: null, priceMax: null },
    undefined,
  ],
  ['not checked yet', undefined, undefined],
])('a price %s', (_, check, expected) => {
  expect(priceFault(check)).toEqual(expected)
})

test('the request body omits what the pair does not accept', () => {
  expect(createAdvertBody(good, pair)).toMatchObject({
    side: 'SELL',
    paymentMethodIds: ['m1'],
    remark: 'Fast and friendly.',
  })
  const body = createAdvertBody({ ...good, remark: '  ' }, { ...pair, methodTypes: [] })
  expect(body).not.toHaveProperty('paymentMethodIds')
  expect(body).not.toHaveProperty('remark')
})

test('the request body says which side the ad is on', () => {
  expect(createAdvertBody({ ...good, side: 'BUY' }, pair)).toMatchObject({
    side: 'BUY',
    kind: 'MANUAL',
    paymentMethodIds: ['m1'],
  })
})

test('the payment window is sent only if it was chosen and buyers pay', () => {
  const coins = { ...pair, quote: 'USDT', automatic: true, methodTypes: [] }
  expect(createAdvertBody(good, pair)).not.toHaveProperty('windowMinutes')
  expect(createAdvertBody({ ...good, windowMinutes: 15 }, pair)).toHaveProperty('windowMinutes', 15)
  for (const [side, kind, sent] of [
    ['SELL', 'MANUAL', true],
    ['SELL', 'AUTOMATIC', true],
    ['BUY', 'MANUAL', true],
    ['BUY', 'AUTOMATIC', false],
  ] as const) {
    const body = createAdvertBody({ ...good, side, kind, windowMinutes: 15 }, coins)
    expect('windowMinutes' in body, `${side} ${kind}`).toBe(sent)
  }
})

test('the payment windows to choose from are within the limits of the pair, with its default', () => {
  expect(windowChoices(pair)).toEqual([10, 15, 30, 60])
  expect(windowChoices({ ...pair, windowMinutes: 20, windowMinutesMin: 5, windowMinutesMax: 120 })).toEqual([
    5, 15, 20, 30, 60, 120,
  ])
  expect(windowChoices({ ...pair, windowMinutes: 30, windowMinutesMin: 30, windowMinutesMax: 30 })).toEqual([
    30,
  ])
})

test('another side keeps the draft, another pair clears what belonged to the old one', () => {
  const filled = { ...good, windowMinutes: 15 }
  const draft = () => useDraft.getState().draft
  editDraft(filled)
  chooseSide('BUY')
  expect(draft()).toEqual({ ...filled, side: 'BUY' })
  chooseQuote({ ...pair, quote: 'USDT', automatic: true, orderMin: '5' })
  const { quantity, remark } = filled
  expect(draft()).toEqual({
    side: 'BUY',
    nftId: '',
    nft: null,
    base: 'MEC',
    quote: 'USDT',
    kind: null,
    price: '',
    quantity,
    orderMin: '5',
    orderMax: '',
    methodIds: [],
    windowMinutes: null,
    remark,
    takerRequirements: {},
  })
  chooseQuote(pair)
  expect(draft().kind).toBe('MANUAL')
  chooseBase('USDT')
  expect(draft()).toMatchObject({ side: 'BUY', base: 'USDT', quote: '', kind: null, price: '' })
  clearDraft()
  expect(draft()).toMatchObject({ side: 'SELL', base: '' })
})

test('an ad for an NFT has a number and a price, which is the total of its order', () => {
  const album = { ...pair, methodTypes: [], album: 'gardens' }
  const none = { quantity: '', orderMin: '', orderMax: '', methodIds: [] }
  const one: Draft = { ...good, ...none, price: album.orderMin, nftId: '17' }
  expect(draftFaults(one, album)).toEqual({})
  expect(draftFaults({ ...one, nftId: '' }, album)).toEqual({ nftId: { why: 'missing' } })
  const [below, above] = ['0.5', `1${album.orderMax}`]
  expect(draftFaults({ ...one, price: below }, album).price).toEqual({ why: 'below', bound: album.orderMin })
  expect(draftFaults({ ...one, price: above }, album).price).toEqual({ why: 'above', bound: album.orderMax })
  expect(draftFaults({ ...one, price: '' }, album).price).toEqual({ why: 'missing' })
  const body = createAdvertBody(one, album)
  expect(body).toMatchObject({ nftId: '17', price: one.price })
  for (const field of ['quantity', 'orderMin', 'orderMax']) expect(body).not.toHaveProperty(field)
  expect(createAdvertBody(good, pair)).not.toHaveProperty('nftId')
})

test('another base clears the NFT', () => {
  const nft = { id: '1', classId: 'gardens', album: 'Gardens', nftId: '17' }
  offerNft({ ...nft, name: null, picture: null, pictureRefused: 'PENDING' }, 'ART')
  expect(useDraft.getState().draft).toMatchObject({ side: 'SELL', base: 'ART', nftId: '17' })
  chooseBase('MEC')
  expect(useDraft.getState().draft).toMatchObject({ nftId: '', nft: null })
})
