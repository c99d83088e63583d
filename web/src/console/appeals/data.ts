import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { read } from '@/api/createApi'
import { isApiError } from '@/api/envelope'
import { isIdle } from '../activity'
import { api } from '../client'
import type { CaseEntry, Decided, QueueOrder, QueueView } from './types'

/** The first part of the keys of everything about appeals. */
export const APPEALS = ['appeals']
const QUEUE_MS = 20_000
const CASE_MS = 20_000
const TALK_MS = 8_000
/** The number of entries of the order log that are read at once. */
const TALK_PAGE = 100
/** The number of rows of a page of the queue. */
export const PAGE = 20

/** Statuses of refusals that end by themselves: a time-out, a request that came too early, too many requests. */
const TEMPORARY = new Set([408, 425, 429])

/** Returns whether the next poll may succeed after an error. A refusal, for example to officers not on the case, would be repeated. */
function pollRepairs(error: Error | null): boolean {
  return !isApiError(error) || TEMPORARY.has(error.status)
}

/** Queries that are retryable are not polled, because `retryScheduler.ts` retries them. Each poll is a recorded view. */
const pollEvery = (ms: number) => (query: { state: { error: Error | null } }) =>
  pollRepairs(query.state.error) && !isIdle() ? ms : false

export const queue = (view: QueueView, order: QueueOrder, page: number) =>
  queryOptions({
    queryKey: [...APPEALS, 'queue', view, order, page],
    queryFn: () =>
      read(api.GET('/console/appeals', { params: { query: { view, order, page, size: PAGE } } })),
    refetchInterval: pollEvery(QUEUE_MS),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })

/** The officers to whom appeals can be assigned, with the number of open appeals of each. */
export const colleagues = queryOptions({
  queryKey: [...APPEALS, 'officers'],
  queryFn: () => read(api.GET('/console/appeals/officers')),
  staleTime: 30_000,
})

/** The cases that a search finds. */
export const foundBy = (query: string) =>
  queryOptions({
    queryKey: [...APPEALS, 'found', query],
    queryFn: () => read(api.GET('/console/appeals/search', { params: { query: { query } } })),
  })

export const caseKey = (id: string) => [...APPEALS, 'case', id]

export const oneCase = (id: string) =>
  queryOptions({
    queryKey: caseKey(id),
    queryFn: () => read(api.GET('/console/appeals/{id}', { params: { path: { id } } })),
    refetchInterval: pollEvery(CASE_MS),
  })

/** Shows the case after a decision, until it is fetched again. */
export function showCase(client: QueryClient, { case: found }: Decided) {
  client.setQueryData(caseKey(found.summary.id), found)
}

/** A case as the queue shows it, also to officers who have not joined it. */
export const summaryOf = (id: string) =>
  queryOptions({
    queryKey: [...APPEALS, 'summary', id],
    queryFn: () => read(api.GET('/console/appeals/{id}/summary', { params: { path: { id } } })),
    refetchInterval: pollEvery(CASE_MS),
  })

/** The case on which the officer should work after another one. */
export const nextAfter = (id: string) =>
  queryOptions({
    queryKey: [...APPEALS, 'next', id],
    queryFn: () => read(api.GET('/console/appeals/next', { params: { query: { omit: id } } })),
    refetchInterval: pollEvery(CASE_MS),
  })

export const talkKey = (id: string) => [...APPEALS, 'talk', id]

/** Joins two lists of entries. An entry in both is kept once. */
export function joinEntries(some: readonly CaseEntry[], more: readonly CaseEntry[]): CaseEntry[] {
  const byNumber = new Map([...some, ...more].map((entry) => [entry.number, entry]))
  return Array.from(byNumber.values()).toSorted((a, b) => a.number - b.number)
}

export function lastNumber(entries: readonly CaseEntry[]): number {
  return entries.at(-1)?.number ?? 0
}

const fetchPage = (id: string, after: number) =>
  read(api.GET('/console/appeals/{id}/talk', { params: { path: { id }, query: { after, size: TALK_PAGE } } }))

/** Reads everything after an entry, page by page. */
async function fetchAfter(id: string, after: number): Promise<CaseEntry[]> {
  const { entries, last } = await fetchPage(id, after)
  const reached = lastNumber(entries)
  if (entries.length === 0 || reached >= last) return entries
  return [...entries, ...(await fetchAfter(id, reached))]
}

/** The order log with the chat. Each poll reads only what follows the newest loaded entry. */
export const talkOf = (id: string) =>
  queryOptions({
    queryKey: talkKey(id),
    queryFn: async ({ client }) => {
      const known = client.getQueryData<CaseEntry[]>(talkKey(id)) ?? []
      const fresh = await fetchAfter(id, lastNumber(known))
      if (known.length > 0 && fresh.some((entry) => entry.kind === 'SYSTEM'))
        void client.invalidateQueries({ queryKey: caseKey(id) })
      // An official message may have been added meanwhile.
      return joinEntries(client.getQueryData<CaseEntry[]>(talkKey(id)) ?? [], fresh)
    },
    refetchInterval: pollEvery(TALK_MS),
    staleTime: 0,
  })

/** Reads a case again, because the links to its files have expired. */
export function renewCase(client: QueryClient, id: string): void {
  void client.refetchQueries({ queryKey: caseKey(id) }, { cancelRefetch: false })
}

const renewing = new Set<string>()

/** Reads an entry of the loaded log, and some that follow it, again, because the links to its files have expired. */
export async function renewEntry(client: QueryClient, id: string, number: number): Promise<void> {
  const name = `${id} ${number}`
  if (renewing.has(name)) return
  renewing.add(name)
  try {
    const { entries } = await fetchPage(id, number - 1)
    client.setQueryData<CaseEntry[]>(talkKey(id), (known) => {
      if (known === undefined) return known
      // Later entries may not be loaded yet.
      const loaded = entries.filter((entry) => entry.number <= lastNumber(known))
      return joinEntries(known, loaded)
    })
  } catch {
    // The next failure of a link asks again.
  } finally {
    renewing.delete(name)
  }
}
