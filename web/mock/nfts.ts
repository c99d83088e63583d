import type {
  Album,
  CustodyState,
  MetadataFault,
  Nft,
  NftEvent,
  NftFacts,
  NftTransfer,
  OwnedNft,
} from '../src/api/nfts.ts'
import { picture } from './files.ts'
import { garden } from './nftArt.ts'
import { type Handlers, page, Refusal } from './operation.ts'
import { ADDRESS, DAY, HASH, minutesFromNow } from './values.ts'

function album(classId: string, name: string, code: string, extra: Partial<Album> = {}): Album {
  return {
    classId,
    name,
    code,
    description: 'Every tide of one year, drawn as a line.',
    creator: 'Atelier Nacht',
    contract: '0x7aB3c94d11F0E6b28a5D9e0034Cf6612aB77E1d0',
    chainId: 31337,
    chainName: 'MEC chain',
    fee: '2',
    gas: '0.4',
    prepaidAsset: 'MEC',
    ...extra,
  }
}

export const albums: Album[] = [
  album('mecha-gardens', 'Mecha Gardens', 'ART', {
    description: 'Ten thousand gardens that no gardener has planted. Each one grew from its own number.',
  }),
  album('tide-lines', 'Tide Lines', 'TIDE', {
    creator: 'Moana Pereira',
    contract: '0x1Ce08Bb7734f5Dd91a6E02C4470Fd38a9915c1aE',
  }),
]

const KINDS = ['Iron Lotus', 'Copper Fern', 'Glass Poppy', 'Brass Iris', 'Neon Moss', 'Chrome Thistle']
const LONG = '115792089237316195423570985008687907853269984665640564039457584007913129639935'

/** Returns the NFT with a number of an album. What has no picture says why. */
export function nft(nftId: string, refused: MetadataFault | null = null, code = 'ART'): Nft {
  const of = albums.find((one) => one.code === code) ?? album('', '', code)
  const number = Number(nftId.slice(-6))
  const shown = {
    small: picture('', garden(number), 256, 256).url,
    large: picture('', garden(number), 1024, 1024).url,
  }
  return {
    id: `${code === 'ART' ? 1 : 2}${nftId}`,
    classId: of.classId,
    album: of.name,
    nftId,
    name: refused === 'INVALID_METADATA' ? null : `${KINDS[number % KINDS.length]} No. ${number}`,
    picture: refused === null ? shown : null,
    pictureRefused: refused,
  }
}

function owned(summary: Nft, state: CustodyState, extra: Partial<OwnedNft> = {}): OwnedNft {
  return {
    ...summary,
    state,
    confirmations: null,
    advertId: null,
    orderId: null,
    actions: state === 'AVAILABLE' ? ['SELL', 'WITHDRAW'] : [],
    withdrawalGas: '0.4',
    gasAsset: 'MEC',
    paused: false,
    ...extra,
  }
}

/** The NFTs of the mock's user: one in each state, and enough others for several pages. */
export const ownedNfts: OwnedNft[] = [
  owned(nft('21'), 'CONFIRMING', { confirmations: { seen: 1, needed: 3 } }),
  owned(nft('17'), 'AVAILABLE'),
  owned(nft('34'), 'IN_ADVERT', { advertId: 'ad-9' }),
  owned(nft('55'), 'IN_ORDER', { orderId: 'o-nft-sold', advertId: 'ad-9' }),
  owned(nft('89'), 'LEAVING'),
  owned(nft('144', 'SVG'), 'AVAILABLE'),
  owned(nft(LONG, 'INVALID_METADATA'), 'AVAILABLE'),
  owned(nft('7', null, 'TIDE'), 'AVAILABLE'),
  ...Array.from({ length: 40 }, (_, index) => owned(nft(`${600 + index}`), 'AVAILABLE')),
]

const known = new Map<string, Nft>(ownedNfts.map((one) => [one.id, one]))

/** Makes an NFT known, so that its page can be opened. */
export function keep(one: Nft): Nft {
  known.set(one.id, one)
  return one
}

/** Returns the traits of an NFT, which follow from its number. */
export function traitsOf({ nftId, pictureRefused }: Nft): NftFacts['traits'] {
  if (pictureRefused === 'INVALID_METADATA') return []
  const number = Number(nftId.slice(-6))
  return [
    { name: 'Season', value: ['Spring', 'Summer', 'Autumn', 'Winter'][number % 4] ?? '' },
    { name: 'Flowers', value: `${5 + (number % 4)}` },
    { name: 'Weather', value: number % 3 === 0 ? 'Rain' : 'Clear' },
  ]
}

function detail(one: Nft): NftFacts {
  const of = albums.find(({ classId }) => classId === one.classId) ?? album('', '', '')
  const mine = ownedNfts.find(({ id }) => id === one.id) ?? null
  const { id, classId, nftId, name, picture: shown, pictureRefused } = one
  const number = Number(nftId.slice(-6))
  return {
    ...{ id, classId, album: one.album, nftId, name, picture: shown, pictureRefused },
    description: pictureRefused === 'INVALID_METADATA' ? null : 'Planted at dawn, and wound up once a year.',
    creator: of.creator,
    metadataUrl: `https://meta.example/${classId}/${nftId.slice(-6)}.json`,
    metadataChanged: number % 2 === 1,
    traits: traitsOf(one),
    contract: of.contract,
    royalty: of.code === 'ART' ? { basisPoints: 725, receiver: ADDRESS.receiving } : null,
    holder: { address: ADDRESS.custody, custody: true, burned: false },
    advertId: mine === null ? 'a-SELL-ART-USDT-0' : mine.advertId,
    mine,
  }
}

function transfer(days: number, what: NftEvent, extra: Partial<NftTransfer> = {}): NftTransfer {
  return {
    at: minutesFromNow(-days * DAY),
    event: what,
    from: ADDRESS.bound,
    to: ADDRESS.custody,
    hash: HASH.replace('8f', `${10 + days}`),
    confirmed: true,
    price: null,
    quote: null,
    ...extra,
  }
}

const history: NftTransfer[] = [
  transfer(0, 'DEPOSITED', { confirmed: false }),
  transfer(9, 'SOLD', { from: ADDRESS.buyer, to: ADDRESS.bound, price: '104.5', quote: 'USDT' }),
  transfer(30, 'TRANSFERRED', { from: ADDRESS.receiving, to: ADDRESS.buyer }),
  transfer(60, 'MINTED', { from: null, to: ADDRESS.receiving }),
]

export const handlers: Handlers = {
  'GET /common/class/config': () => albums,
  'GET /balance/nft/list': ({ query }) =>
    page(
      ownedNfts.filter((one) => query.classId === undefined || one.classId === query.classId),
      query,
    ),
  'POST /balance/extract/{id}': ({ path }) => {
    const found = ownedNfts.find((one) => one.id === path.id)
    if (found === undefined) throw new Refusal('5031')
    if (found.state !== 'AVAILABLE') throw new Refusal('5019')
    Object.assign(found, { state: 'LEAVING', actions: [] })
    return { id: 'f-8' }
  },
  'GET /nft/{id}': ({ path }) => {
    const found = known.get(path.id)
    if (found === undefined) throw new Refusal('5031')
    return detail(found)
  },
  'GET /nft/{id}/history': ({ query }) => page(history, query),
}
