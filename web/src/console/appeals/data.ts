import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { read } from '@/api/createApi'
import { isIdle } from '../activity'
import { api } from '../client'
import type { CaseEntry, QueueOrder, QueueView } from './types'

/** The first part of the keys of everything about appeals. */
export const APPEALS = ['appeals']
const QUEUE_MS = 20_000
const CASE_MS = 20_000
const TALK_MS = 8_000
/** The number of entries of the order log that are read at once. */
const TALK_PAGE = 100
/** The number of rows of a page of the queue. */
export const PAGE = 20

/** Failed queries are not polled: `retryScheduler.ts` retries those that may succeed. Each poll is a recorded view. */
const pollEvery = (ms: number) => (query: { state: { error: Error | null } }) =>
  query.state.error !== null || isIdle() ? false : ms

export const queue = (view: QueueView, order: QueueOrder, page: number) =>
  queryOptions({
    queryKey: [...APPEALS, 'queue', view, order, page],
    queryFn: () => read(api.GET('/ops/appeals', { params: { query: { view, order, page, size: PAGE } } })),
    refetchInterval: pollEvery(QUEUE_MS),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })

export const caseKey = (id: string) => [...APPEALS, 'case', id]

export const oneCase = (id: string) =>
  queryOptions({
    queryKey: caseKey(id),
    queryFn: () => read(api.GET('/ops/appeals/{id}', { params: { path: { id } } })),
    refetchInterval: pollEvery(CASE_MS),
  })

/** A case as the queue shows it, also to officers who have not joined it. */
export const summaryOf = (id: string) =>
  queryOptions({
    queryKey: [...APPEALS, 'summary', id],
    queryFn: () => read(api.GET('/ops/appeals/{id}/summary', { params: { path: { id } } })),
    refetchInterval: pollEvery(CASE_MS),
  })

export const talkKey = (id: string) => [...APPEALS, 'talk', id]

/** Joins two lists of entries. An entry in both is kept once. */
export function joinEntries(some: readonly CaseEntry[], more: readonly CaseEntry[]): CaseEntry[] {
  const byNumber = new Map([...some, ...more].map((entry) => [entry.number, entry]))
  return Array.from(byNumber.values()).toSorted((a, b) => a.number - b.number)
}

function lastNumber(entries: readonly CaseEntry[]): number {
  return entries.at(-1)?.number ?? 0
}

/** Reads everything after an entry, page by page. */
async function fetchAfter(id: string, after: number): Promise<CaseEntry[]> {
  const { entries, last } = await read(
    api.GET('/ops/appeals/{id}/talk', { params: { path: { id }, query: { after, size: TALK_PAGE } } }),
  )
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
