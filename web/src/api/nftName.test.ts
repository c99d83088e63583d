import { expect, test } from 'vitest'
import { movedText, nftName, tradedText } from './nftName'
import { depositsOf, type NftSummary } from './nfts'
import type { Deposit } from './types'

const amount = (value: string) => value
const nft: NftSummary = {
  id: '1',
  classId: 'gardens',
  album: 'Gardens',
  nftId: '17',
  name: 'Lotus',
  picture: null,
  pictureRefused: 'NO_PICTURE',
}

test('an NFT is called by its album and number, which may be long', () => {
  expect(nftName(nft)).toBe('Gardens #17')
  expect(nftName({ ...nft, nftId: '9'.repeat(70) })).toBe('Gardens #99999999…99999999')
})

test('what is traded is an amount of coins or an NFT, and other assets stay amounts', () => {
  expect(tradedText(amount, { base: 'MEC' }, '2.5')).toBe('2.5 MEC')
  const about = { base: 'ART', nft }
  expect(tradedText(amount, about, '1')).toBe('Gardens #17')
  expect(movedText(amount, about, 'MEC', '0.4')).toBe('0.4 MEC')
})

test('an ad has its deposits in a list, or one or none outside of a list', () => {
  const deposit = { asset: 'MEC' } as Deposit
  expect(depositsOf({ deposits: [deposit, deposit] })).toHaveLength(2)
  expect(depositsOf({ deposit })).toEqual([deposit])
  expect(depositsOf({ deposit: null })).toEqual([])
})
