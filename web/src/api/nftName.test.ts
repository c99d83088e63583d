import { expect, test } from 'vitest'
import { movedText, nftName, tradedText } from './nftName'
import type { Nft } from './nfts'

const amount = (value: string) => value
const nft: Nft = {
  id: '1',
  classId: 'gardens',
  album: 'Gardens',
  nftId: '17',
  name: 'Lotus',
  picture: null,
  pictureRefused: 'MISSING',
}

test('an NFT is called by its album and number, which may be long', () => {
  expect(nftName(nft)).toBe('Gardens #17')
  expect(nftName({ ...nft, nftId: '9'.repeat(70) })).toBe('Gardens #99999999…99999999')
})

test('what is traded is an amount of coins or an NFT, and other assets stay amounts', () => {
  expect(tradedText(amount, { base: 'MEC', nft: null }, '2.5')).toBe('2.5 MEC')
  const about = { base: 'ART', nft }
  expect(tradedText(amount, about, '1')).toBe('Gardens #17')
  expect(movedText(amount, about, 'MEC', '0.4')).toBe('0.4 MEC')
})
