import { expect, test } from 'vitest'
import { detailLines } from './details'

test('a change is shown from before to after', () => {
  expect(detailLines({ setting: 'fee_rate', before: '0.001', after: '0.002' })).toEqual([
    'fee_rate: 0.001 → 0.002',
  ])
  expect(detailLines({ before: [], after: ['LOGIN', 'SELL'] })).toEqual(['– → LOGIN, SELL'])
  expect(detailLines({ before: { certified: false }, after: { certified: true } })).toEqual([
    'certified false → certified true',
  ])
  expect(detailLines({ before: null, after: '2026-01-01T00:00:00Z' })).toEqual(['– → 2026-01-01T00:00:00Z'])
  expect(detailLines({ after: '2.5' })).toEqual(['2.5'])
})

test('other facts are shown by name, without the empty ones', () => {
  expect(detailLines({ query: 'ada', officer: null })).toEqual(['query: ada'])
  expect(detailLines({ sessions: 2 })).toEqual(['sessions: 2'])
  expect(detailLines({})).toEqual([])
  expect(detailLines(null)).toEqual([])
})
