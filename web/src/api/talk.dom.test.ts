import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addEntry, conversation, joinEntries, loadOlder, receiveTalk, renewLinks, type Talk } from './talk'
import type { TalkEntry, UploadedFile } from './types'

const ID = 'o-1'
const asked: string[] = []
let log: TalkEntry[] = []

const entry = (number: number): TalkEntry => ({
  number,
  kind: 'MESSAGE',
  author: 'SELLER',
  officer: null,
  text: String(number),
  files: [],
  warnings: [],
  notice: null,
  state: null,
  version: null,
  at: '2026-01-01T00:00:00Z',
  hash: '',
})

function answer(url: URL): unknown {
  asked.push(url.pathname.replace('/api/user/fiat/talk/', '') + url.search)
  const [after, before] = ['after', 'before'].map((name) => url.searchParams.get(name))
  const size = Number(url.searchParams.get('size'))
  const entries =
    after === null || after === undefined
      ? log.filter(({ number }) => number < Number(before ?? 'Infinity')).slice(-size)
      : log.filter(({ number }) => number > Number(after)).slice(0, size)
  const marks = ['BUYER', 'SELLER'].map((party) => ({ party, deliveredTo: 0, readTo: 0 }))
  return { role: 'BUYER', entries, last: log.length, marks, unread: 0, open: true, closesAt: null }
}

beforeEach(() => {
  asked.length = 0
  log = Array.from({ length: 120 }, (_, at) => entry(at + 1))
  vi.stubGlobal('fetch', async (request: Request) =>
    Response.json({ code: '200', message: '', data: answer(new URL(request.url)) }),
  )
})
afterEach(() => vi.unstubAllGlobals())

const numbers = (client: QueryClient) =>
  client.getQueryData<Talk>(conversation(ID).queryKey)?.entries.map(({ number }) => number)
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

test('a conversation is loaded from its end, and earlier entries are added before it', async () => {
  const client = new QueryClient()
  await client.fetchQuery(conversation(ID))
  expect(numbers(client)).toEqual(from(71, 120))
  await loadOlder(client, ID)
  await loadOlder(client, ID)
  expect(numbers(client)).toEqual(from(1, 120))
  await loadOlder(client, ID)
  expect(asked).toEqual([`${ID}?size=50`, `${ID}?before=71&size=50`, `${ID}?before=21&size=50`])
})

test('a refresh fetches only what follows, however much it is', async () => {
  const client = new QueryClient()
  await client.fetchQuery(conversation(ID))
  log = from(1, 230).map(entry)
  asked.length = 0
  await client.fetchQuery(conversation(ID))
  expect(numbers(client)).toEqual(from(71, 230))
  expect(asked).toEqual([120, 170, 220].map((after) => `${ID}?after=${after}&size=50`))
})

test('an entry that follows is added, a known one is ignored, and a gap is fetched', async () => {
  const client = new QueryClient()
  await client.fetchQuery(conversation(ID))
  const refetch = vi.spyOn(client, 'invalidateQueries')
  addEntry(client, ID, entry(121), 'a key')
  addEntry(client, ID, entry(121), null)
  expect(numbers(client)).toEqual(from(71, 121))
  expect(client.getQueryData<Talk>(conversation(ID).queryKey)?.confirmed).toEqual(['a key'])
  expect(refetch).not.toHaveBeenCalled()
  addEntry(client, ID, entry(124), null)
  expect(numbers(client)).toEqual(from(71, 121))
  expect(refetch).toHaveBeenCalledExactlyOnceWith({ queryKey: conversation(ID).queryKey })
})

const file = (url: string): UploadedFile => ({
  ...{ id: 'f-1', kind: 'IMAGE', mediaType: 'image/png', size: 1, width: 1, height: 1, duration: null },
  ...{ url, usedBefore: false },
})
const withFile = (number: number, url: string | null): TalkEntry => ({
  ...entry(number),
  files: [{ id: 'f-1', sha256: '', file: url === null ? null : file(url) }],
})
const linkOf = (client: QueryClient, number: number) =>
  client.getQueryData<Talk>(conversation(ID).queryKey)?.entries.find((one) => one.number === number)?.files[0]
    ?.file?.url

test('an entry whose links are unknown is fetched, and never replaces one whose links are known', async () => {
  const client = new QueryClient()
  await client.fetchQuery(conversation(ID))
  const refetch = vi.spyOn(client, 'invalidateQueries')
  addEntry(client, ID, withFile(121, null), null)
  expect(numbers(client)).toEqual(from(71, 120))
  expect(refetch).toHaveBeenCalledExactlyOnceWith({ queryKey: conversation(ID).queryKey })
  addEntry(client, ID, withFile(121, '/first'), 'a key')
  addEntry(client, ID, withFile(121, null), null)
  expect(linkOf(client, 121)).toBe('/first')
  expect(refetch).toHaveBeenCalledOnce()
})

test('links are renewed once for several requests, and no entries are skipped', async () => {
  const client = new QueryClient()
  log[109] = withFile(110, '/first')
  await client.fetchQuery(conversation(ID))
  // Entries 121 to 130 are not known yet, and the answer contains some of them.
  log = from(1, 130).map((number) => (number === 110 ? withFile(110, '/second') : entry(number)))
  asked.length = 0
  await Promise.all([renewLinks(client, ID, 110), renewLinks(client, ID, 110)])
  expect(asked).toEqual([`${ID}?after=109&size=50`])
  expect(linkOf(client, 110)).toBe('/second')
  expect(numbers(client)).toEqual(from(71, 120))
})

test('a message that arrives during a refresh is kept', async () => {
  const client = new QueryClient()
  await client.fetchQuery(conversation(ID))
  const refreshing = client.fetchQuery(conversation(ID))
  addEntry(client, ID, entry(121), null)
  await refreshing
  expect(numbers(client)).toEqual(from(71, 121))
})

test('marks of the socket only grow', async () => {
  const client = new QueryClient()
  await client.fetchQuery(conversation(ID))
  const told = (deliveredTo: number, readTo: number) => {
    const marks = { party: 'SELLER', deliveredTo, readTo }
    receiveTalk(client, JSON.stringify({ orderId: ID, entry: null, key: null, marks }))
  }
  told(10, 5)
  told(7, 6)
  const marks = client.getQueryData<Talk>(conversation(ID).queryKey)?.marks
  expect(marks?.[1]).toEqual({ party: 'SELLER', deliveredTo: 10, readTo: 6 })
})

test('lists of entries are joined by number', () => {
  const joined = joinEntries([entry(3), entry(4)], [entry(1), entry(3)])
  expect(joined.map(({ number }) => number)).toEqual([1, 3, 4])
})
