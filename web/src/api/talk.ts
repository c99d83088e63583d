import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { useSession } from '@/session/session'
import { api, completed, read } from './client'
import { keys, nextPage, pollEvery, unreadMessages } from './queries'
import type { Conversation, ConversationPage, TalkEntry, TalkMarks, TalkMessage } from './types'

/** A conversation as far as it is loaded: consecutive entries up to the newest. */
export interface Talk extends Pick<ConversationPage, 'role' | 'open' | 'closesAt' | 'unread'> {
  entries: readonly TalkEntry[]
  marks: readonly TalkMarks[]
  /** The idempotency keys of messages that this user sent and that are among the entries. */
  confirmed: readonly string[]
}

const PAGE = 50
const POLL_MS = 15_000

const keyOf = (orderId: string) => [...keys.talk, 'one', orderId] as const

const fetchPage = (orderId: string, query: { before?: number; after?: number }) =>
  read(
    api.GET('/user/fiat/talk/{id}', { params: { path: { id: orderId }, query: { ...query, size: PAGE } } }),
  )

/** Returns the number of the newest loaded entry; 0 if there is none. */
export function lastNumber(talk: Pick<Talk, 'entries'>): number {
  return talk.entries.at(-1)?.number ?? 0
}

/** Returns whether all entries from the first are loaded. */
export function isComplete(talk: Talk): boolean {
  return (talk.entries[0]?.number ?? 1) === 1
}

/** Joins two lists of entries. An entry in both is kept once. */
export function joinEntries(some: readonly TalkEntry[], more: readonly TalkEntry[]): TalkEntry[] {
  const byNumber = new Map([...some, ...more].map((entry) => [entry.number, entry]))
  return Array.from(byNumber.values()).toSorted((a, b) => a.number - b.number)
}

/** Returns the higher of two marks of the same party. */
function higher(mark: TalkMarks, other: TalkMarks | undefined): TalkMarks {
  return {
    party: mark.party,
    deliveredTo: Math.max(mark.deliveredTo, other?.deliveredTo ?? 0),
    readTo: Math.max(mark.readTo, other?.readTo ?? 0),
  }
}

/** Reads everything after an entry. */
async function fetchAfter(orderId: string, after: number): Promise<ConversationPage> {
  const page = await fetchPage(orderId, { after })
  if (page.entries.length < PAGE) return page
  const rest = await fetchAfter(orderId, lastNumber(page))
  return { ...rest, entries: joinEntries(page.entries, rest.entries) }
}

/** The number of the newest entry that the socket has announced while a conversation was loaded for the first time, by order. */
const announced = new Map<string, number>()

/** Reads what follows a first page, if the socket has announced more meanwhile. */
async function readOn(orderId: string, page: ConversationPage): Promise<ConversationPage> {
  const newest = announced.get(orderId) ?? 0
  announced.delete(orderId)
  const last = lastNumber(page)
  if (newest <= last) return page
  const rest = await fetchAfter(orderId, last)
  const joined = { ...rest, entries: joinEntries(page.entries, rest.entries) }
  return rest.entries.length === 0 ? joined : readOn(orderId, joined)
}

/** Reads the newest page, or everything after the newest loaded entry. */
async function refresh(client: QueryClient, orderId: string): Promise<Talk> {
  const known = client.getQueryData<Talk>(keyOf(orderId))
  const page =
    known === undefined
      ? await readOn(orderId, await fetchPage(orderId, {}))
      : await fetchAfter(orderId, lastNumber(known))
  // Messages may have arrived over the socket meanwhile.
  const now = client.getQueryData<Talk>(keyOf(orderId))
  const { role, open, closesAt, unread } = page
  const marks = page.marks.map((mark) =>
    higher(
      mark,
      now?.marks.find(({ party }) => party === mark.party),
    ),
  )
  return {
    role,
    open,
    closesAt,
    unread,
    marks,
    entries: joinEntries(now?.entries ?? [], page.entries),
    confirmed: now?.confirmed ?? [],
  }
}

/** The conversation of an order. The socket delivers new messages; the poll only replaces it. */
export const conversation = (orderId: string) =>
  queryOptions({
    queryKey: keyOf(orderId),
    queryFn: ({ client }) => refresh(client, orderId),
    refetchInterval: pollEvery(POLL_MS),
    enabled: orderId !== '',
  })

/** Returns whether the conversation of an order is loaded or being loaded. */
export function isTalkLoaded(client: QueryClient, orderId: string): boolean {
  return client.getQueryState(keyOf(orderId)) !== undefined
}

/** Loads the entries before the oldest loaded one. */
export async function loadOlder(client: QueryClient, orderId: string): Promise<void> {
  const first = client.getQueryData<Talk>(keyOf(orderId))?.entries[0]?.number ?? 1
  if (first <= 1) return
  const { entries } = await fetchPage(orderId, { before: first })
  client.setQueryData<Talk>(keyOf(orderId), (talk) =>
    talk === undefined ? talk : { ...talk, entries: joinEntries(entries, talk.entries) },
  )
}

const renewing = new Set<string>()

/** Reads an entry of a loaded conversation, and some that follow it, again, because the links to its files have expired. */
export async function renewLinks(client: QueryClient, orderId: string, number: number): Promise<void> {
  const key = `${orderId} ${number}`
  if (renewing.has(key)) return
  renewing.add(key)
  try {
    const { entries } = await fetchPage(orderId, { after: number - 1 })
    client.setQueryData<Talk>(keyOf(orderId), (talk) => {
      if (talk === undefined) return talk
      // Later entries may not be loaded yet.
      const known = entries.filter((entry) => entry.number <= lastNumber(talk))
      return { ...talk, entries: joinEntries(talk.entries, known) }
    })
  } finally {
    renewing.delete(key)
  }
}

/** Returns whether the links to an entry's files are known. Entries of the socket have none. */
function hasLinks(entry: TalkEntry): boolean {
  return entry.files.every(({ file }) => file !== null)
}

/** Adds a new entry to a loaded conversation, or to one that is being loaded. If entries before it or the links to its files are missing, it is fetched. */
export function addEntry(client: QueryClient, orderId: string, entry: TalkEntry, key: string | null): void {
  const talk = client.getQueryData<Talk>(keyOf(orderId))
  if (talk === undefined) {
    if (isTalkLoaded(client, orderId))
      announced.set(orderId, Math.max(entry.number, announced.get(orderId) ?? 0))
    return
  }
  const last = lastNumber(talk)
  if (entry.number > last + 1 || (entry.number > last && !hasLinks(entry))) {
    void client.invalidateQueries({ queryKey: keyOf(orderId) })
    return
  }
  client.setQueryData<Talk>(keyOf(orderId), {
    ...talk,
    entries: joinEntries([entry], talk.entries),
    confirmed: key === null ? talk.confirmed : [...talk.confirmed, key],
  })
}

function addMarks(client: QueryClient, orderId: string, marks: TalkMarks): void {
  client.setQueryData<Talk>(keyOf(orderId), (talk) =>
    talk === undefined
      ? talk
      : {
          ...talk,
          marks: talk.marks.map((mark) => (mark.party === marks.party ? higher(mark, marks) : mark)),
        },
  )
}

/** Handles the text of a `TALK` message of the socket. Returns the ID of the order if it has a message to the user. */
export function receiveTalk(client: QueryClient, text: string): string | null {
  const { orderId, entry, key, marks }: TalkMessage = JSON.parse(text)
  if (entry !== null) {
    addEntry(client, orderId, entry, key)
    if (key === null) reportDelivered(orderId, entry.number)
  }
  if (marks !== null) addMarks(client, orderId, marks)
  for (const queryKey of [unreadMessages.queryKey, conversationList.queryKey, keys.orders])
    void client.invalidateQueries({ queryKey })
  return entry !== null && key === null ? orderId : null
}

/** How long reports of delivered messages are collected, in milliseconds. */
const COLLECT_MS = 250
/** The last entries that this page has reported as delivered, by user and order. */
const reported = new Map<string, number>()
const waiting = new Set<string>()

/** Reports once that this device has received a conversation up to an entry. */
function reportDelivered(orderId: string, upTo: number): void {
  const { userId } = useSession.getState()
  const name = `${userId} ${orderId}`
  if (upTo <= (reported.get(name) ?? 0)) return
  reported.set(name, upTo)
  if (waiting.has(name)) return
  waiting.add(name)
  setTimeout(() => {
    waiting.delete(name)
    // Another user has received nothing of this.
    if (useSession.getState().userId !== userId) return
    const params = { path: { id: orderId }, query: { upTo: reported.get(name) ?? upTo } }
    void completed(api.GET('/user/fiat/talk/updateRead/{id}', { params })).catch(() => {
      // A later message, the list of conversations, or reading the conversation makes up for a lost report.
      reported.delete(name)
    })
  }, COLLECT_MS)
}

/** Reads a page of the user's conversations, and reports its unread messages as delivered. */
async function fetchConversations(page: number) {
  const found = await read(api.GET('/user/fiat/talk/talkList', { params: { query: { page, size: 20 } } }))
  for (const { orderId, last, unread } of found.records) if (unread > 0) reportDelivered(orderId, last.number)
  return found
}

/** Reports unread messages that arrived while the user was away, because the socket repeats none of them. */
export async function reportMissed(client: QueryClient): Promise<void> {
  const { unread } = await client.fetchQuery(unreadMessages)
  let left = unread
  for (let page = 1, more = true; more && left > 0; page += 1) {
    const { records, size, total } = await fetchConversations(page)
    left = records.reduce((rest, one) => rest - one.unread, left)
    more = page * size < total
  }
}

/** Marks a conversation as read up to an entry. */
export async function markRead(client: QueryClient, orderId: string, upTo: number): Promise<void> {
  const params = { path: { id: orderId }, query: { upTo } }
  const { readTo, unread } = await read(api.GET('/user/fiat/talk/read/{id}', { params }))
  const talk = client.getQueryData<Talk>(keyOf(orderId))
  if (talk?.role != null) addMarks(client, orderId, { party: talk.role, deliveredTo: readTo, readTo })
  client.setQueryData<Talk>(keyOf(orderId), (now) => (now === undefined ? now : { ...now, unread }))
  for (const queryKey of [unreadMessages.queryKey, conversationList.queryKey, keys.orders])
    void client.invalidateQueries({ queryKey })
}

/** A conversation with a new message moves to the front, so it may be on two pages until they are read again. */
function withoutRepeats(found: readonly Conversation[]): readonly Conversation[] {
  const first = new Map(found.toReversed().map((one) => [one.orderId, one]))
  return found.filter((one) => first.get(one.orderId) === one)
}

/** The conversations that have messages, newest first. */
export const conversationList = infiniteQueryOptions({
  queryKey: [...keys.talk, 'list'],
  queryFn: ({ pageParam }) => fetchConversations(pageParam),
  initialPageParam: 1,
  getNextPageParam: nextPage,
  select: ({ pages }) => withoutRepeats(pages.flatMap((page) => page.records)),
  refetchInterval: pollEvery(POLL_MS),
})
