import { expect, test } from 'vitest'
import type { TalkEntry } from '@/api/types'
import type { Outgoing } from './outbox'
import { splitQueue } from './pending'

function entry(number: number, text: string, author: TalkEntry['author'] = 'BUYER'): TalkEntry {
  return {
    number,
    version: 1,
    at: '2026-11-20T12:00:00Z',
    author,
    files: [],
    hash: '',
    kind: 'MESSAGE',
    notice: null,
    officer: null,
    state: null,
    text,
    warnings: [],
    automatic: false,
  }
}

function message(key: string, text: string, extra: Partial<Outgoing> = {}): Outgoing {
  return { key, text, at: '2026-11-20T12:00:00Z', despiteWarnings: false, after: 5, ...extra }
}

const talkOf = (...entries: TalkEntry[]) => ({ entries, confirmed: ['k0'], role: 'BUYER' as const })
const keysOf = (queue: readonly Outgoing[]) => queue.map(({ key }) => key)

test('a message is shown once while its entry is known and its response is not', () => {
  const { arrived, pending } = splitQueue([message('k1', 'one')], talkOf(entry(6, 'one')))
  expect(keysOf(arrived)).toEqual([])
  expect(keysOf(pending)).toEqual([])
})

test('the same text twice needs two entries', () => {
  const queue = [message('k1', 'ok'), message('k2', 'ok')]
  expect(keysOf(splitQueue(queue, talkOf(entry(6, 'ok'))).pending)).toEqual(['k2'])
  expect(keysOf(splitQueue(queue, talkOf(entry(6, 'ok'), entry(7, 'ok'))).pending)).toEqual([])
})

test('entries that are older, of the other party, or of other text hide nothing', () => {
  const queue = [message('k1', 'one')]
  for (const other of [entry(5, 'one'), entry(6, 'one', 'SELLER'), entry(6, 'two')]) {
    expect(keysOf(splitQueue(queue, talkOf(other)).pending)).toEqual(['k1'])
  }
})

test('a refused message stays visible', () => {
  const queue = [message('k1', 'one', { refusal: 'Try later.' }), message('k2', 'two', { warnings: [] })]
  expect(keysOf(splitQueue(queue, talkOf(entry(6, 'one'), entry(7, 'two'))).pending)).toEqual(['k1', 'k2'])
})

test('a confirmed message has arrived', () => {
  const queue = [message('k0', 'zero'), message('k1', 'one', { number: 6 })]
  expect(keysOf(splitQueue(queue, talkOf(entry(6, 'one'))).arrived)).toEqual(['k0', 'k1'])
})
