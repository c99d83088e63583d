import { expect, test } from 'vitest'
import type { UserInfo } from '@/api/types'
import { type Intent, missingRequirements, type Requirement } from './requirements'

const now = Date.parse('2026-01-01T12:00:00Z')
const ready: UserInfo = {
  id: 'u',
  email: 'a@example.com',
  nickname: 'Amina',
  nicknameChangeableAt: null,
  nicknameUnderReview: false,
  nicknameRefusal: null,
  publicNickname: 'Amina',
  remark: null,
  receivingAddress: '0x2Bd5e80F6C17a94E3b06D8f21A5c4709Ee3b91D6',
  chainType: 'ERC20',
  boundAddress: '0x91f3B07E6d2A54c8E19B03dF7a6C58e24B0d71Fa',
  custodyAddress: '0x4C6f1a2E9bD03f57A81c09De6B2f45A7731E90cD',
  reputation: 60,
  regionId: 'eu',
  countryCode: 'ES',
  kycLevel: 'advanced',
  certified: true,
  verified: false,
  fast: false,
  stats: {
    orders30d: 0,
    completionRate: null,
    averageConfirmSeconds: null,
    confirmations: 0,
    lateConfirmations: 0,
    acceptanceRate: null,
  },
  volume30d: [],
  online: false,
  offlineCause: null,
  hasSecurityPassword: true,
  holdUntil: null,
  serverTime: '2026-01-01T12:00:00Z',
}
const post: Intent = { act: 'post', paid: true, fiat: false, chainTypes: ['ERC20'] }
const postFiat: Intent = { act: 'post', paid: true, fiat: true, chainTypes: [] }
const buy: Intent = { act: 'order', paid: false, fiat: false, chainTypes: ['ERC20'] }
const sell: Intent = { act: 'order', paid: true, fiat: false, chainTypes: ['ERC20'] }

test('a user who meets all requirements can do everything', () => {
  for (const wanted of [post, postFiat, buy, sell])
    expect(missingRequirements(ready, wanted, now)).toEqual([])
})

test.each<[string, Partial<UserInfo>, Intent, Requirement[]]>([
  ['no nickname', { nickname: null }, buy, ['nickname']],
  ['no address', { receivingAddress: null, chainType: null }, buy, ['address']],
  ['an address on another chain, to be paid there', { chainType: 'TRC20' }, sell, ['chain']],
  ['an address on another chain, to pay', { chainType: 'TRC20' }, buy, []],
  ['an address on another chain, posting for fiat', { chainType: 'TRC20' }, postFiat, []],
  ['no security password, to sell', { hasSecurityPassword: false }, sell, ['security']],
  ['no security password, to buy', { hasSecurityPassword: false }, buy, []],
  ['not certified, for fiat', { certified: false }, postFiat, ['certified']],
  ['not certified, for coins', { certified: false }, post, []],
  ['not certified, ordering for fiat', { certified: false }, { ...buy, fiat: true }, []],
  ['basic identity, for fiat', { kycLevel: 'basic' }, postFiat, ['advancedIdentity']],
  ['no identity', { kycLevel: 'none' }, buy, ['identity']],
  ['low reputation, posting', { reputation: 59 }, post, ['reputation']],
  ['low reputation, ordering', { reputation: 0 }, buy, []],
  ['on hold', { holdUntil: '2026-01-01T12:00:01Z' }, buy, ['hold']],
  ['hold just ended', { holdUntil: '2026-01-01T12:00:00Z' }, buy, []],
  ['several requirements', { nickname: null, hasSecurityPassword: false }, post, ['nickname', 'security']],
])('%s', (_, change, wanted, expected) => {
  expect(missingRequirements({ ...ready, ...change }, wanted, now)).toEqual(expected)
})
