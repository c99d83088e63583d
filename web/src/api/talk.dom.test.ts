import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearSession, signIn } from '@/session/session'
import {
  addEntry,
  conversation,
  conversationList,
  joinEntries,
  loadOlder,
  receiveTalk,
  renewLinks,
  reportMissed,
  type Talk,
} from './talk'
import type { Conversation, TalkEntry, UploadedFile } from './types'

const ID = 'o-1'
const asked: string[] = []
let log: TalkEntry[] = []
let list: Pick<Conversation, 'orderId' | 'last' | 'unread'>[] = []
/** Whether reports of delivered messages get an answer. */
let reachable = true

const entry = (number: number): TalkEntry => ({
  number,
  kind: 'MESSAGE',
  author: 'SELLER',
  officer: null,
  text: String(number),
  files: [],
  warnings: [],
  automatic: false,
  notice: null,
  state: null,
  version: null,
  at: '2026-01-01T00:00:00Z',
  hash: '',
})

function answer(url: URL): unknown {
  asked.push(url.pathname.replace('/api/user/fiat/talk/', '') + url.search)
  if (url.pathname.endsWith('/unread')) return { unread: list.reduce((sum, one) => sum + one.unread, 0) }
  if (url.pathname.endsWith('/talkList')) {
    const [page, size] = ['page', 'size'].map((name) => Number(url.searchParams.get(name)))
    const first = ((page ?? 1) - 1) * (size ?? 20)
    return { records: list.slice(first, first + (size ?? 20)), total: list.length, page, size }
  }
  if (url.pathname.includes('/updateRead/') && !reachable) throw new TypeError('no connection')
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
afterEach(() => {
  reachable = true
  clearSession()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

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

test('a message that arrives while the conversation is first loaded is read after it', async () => {
  const client = new QueryClient()
  let release: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  vi.stubGlobal('fetch', async (request: Request) => {
    const data = answer(new URL(request.url))
    await held
    return Response.json({ code: '200', message: '', data })
  })
  const loading = client.fetchQuery(conversation(ID))
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  log = from(1, 121).map(entry)
  addEntry(client, ID, entry(121), null)
  release()
  await loading
  expect(numbers(client)).toEqual(from(71, 121))
  expect(asked).toEqual([`${ID}?size=50`, `${ID}?after=120&size=50`])
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

/** Returns what was reported as delivered since the last call. */
async function delivered(): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(1_000)
  const found = asked.filter((one) => one.startsWith('updateRead/'))
  asked.length = 0
  return found
}
const row = (orderId: string, number: number, unread: number) => ({ orderId, last: entry(number), unread })

test('what the list of conversations shows as unread is reported as delivered, once', async () => {
  vi.useFakeTimers()
  signIn('t', 'list')
  const client = new QueryClient()
  const reload = () => client.fetchInfiniteQuery(conversationList)
  list = [row('o-1', 7, 2), row('o-2', 9, 0)]
  await reload()
  expect(await delivered()).toEqual(['updateRead/o-1?upTo=7'])
  await reload()
  expect(await delivered()).toEqual([])
  list = [row('o-1', 8, 3)]
  await reload()
  expect(await delivered()).toEqual(['updateRead/o-1?upTo=8'])
  // A message of the socket that the list showed first.
  receiveTalk(client, JSON.stringify({ orderId: 'o-1', entry: entry(8), key: null, marks: null }))
  expect(await delivered()).toEqual([])
})

test('a report that is lost is made again', async () => {
  vi.useFakeTimers()
  signIn('t', 'lost')
  const client = new QueryClient()
  list = [row('o-1', 7, 2)]
  reachable = false
  await client.fetchInfiniteQuery(conversationList)
  expect(await delivered()).toHaveLength(1)
  reachable = true
  await client.fetchInfiniteQuery(conversationList)
  expect(await delivered()).toEqual(['updateRead/o-1?upTo=7'])
})

test('messages that arrived while the user was away are found on every page, and only if there are any', async () => {
  vi.useFakeTimers()
  signIn('t', 'away')
  const read = from(1, 24).map((number) => row(`o-${number}`, 5, 0))
  list = read
  await reportMissed(new QueryClient())
  expect(asked).toEqual(['unread'])
  list = [
    row('o-a', 3, 1),
    ...read,
    row('o-b', 6, 2),
    ...from(30, 60).map((number) => row(`o-${number}`, 5, 0)),
  ]
  asked.length = 0
  await reportMissed(new QueryClient())
  expect(asked).toEqual(['unread', 'talkList?page=1&size=20', 'talkList?page=2&size=20'])
  expect(await delivered()).toEqual(['updateRead/o-a?upTo=3', 'updateRead/o-b?upTo=6'])
})

test('nothing is reported in the name of the next user', async () => {
  vi.useFakeTimers()
  signIn('t', 'first')
  const client = new QueryClient()
  list = [row('o-1', 7, 2)]
  await client.fetchInfiniteQuery(conversationList)
  signIn('t', 'second')
  expect(await delivered()).toEqual([])
  await client.fetchInfiniteQuery(conversationList)
  expect(await delivered()).toEqual(['updateRead/o-1?upTo=7'])
})
