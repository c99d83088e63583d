import type { components } from '../src/api/schema'
import { type Case, decide, type HeldCase, held, type QueueRow, rows } from './consoleAppeals/cases.ts'
import { OFFICERS, OLGA } from './consoleAppeals/officers.ts'
import { inView, SORTS } from './consoleAppeals/queue.ts'
import { type Handlers, nextNumber, page } from './operation.ts'
import { HOUR, minutesFromNow } from './values.ts'

const { id: officerId, name: officer } = OLGA

function find(id: string, refuse: (code: '5001') => never): HeldCase {
  return held.find(({ row }) => row.id === id) ?? refuse('5001')
}

/** Returns a case, if the officer is on it. */
function joined(id: string, refuse: (code: '5001' | '6008') => never) {
  const found = find(id, refuse)
  const { case: readable, talk } = found
  if (!found.row.joined || readable === null || talk === null) return refuse('6008')
  return { found, readable, talk }
}

/** Returns a case about which officers still write. */
function open(id: string, refuse: (code: '5001' | '5002' | '6008') => never) {
  const all = joined(id, refuse)
  return all.found.row.endedAt === null ? all : refuse('5002')
}

const waits = (one: Case['requests'][number]) => one.answeredAt === null && one.closedAt === null

export const handlers: Handlers = {
  'GET /console/appeals': ({ query }) => {
    const sort = SORTS[query.order ?? 'AGE'] ?? (() => 0)
    const found = rows.filter((one) => inView(one, query.view ?? 'OPEN'))
    return page(
      found.toSorted((a, b) => sort(a) - sort(b)),
      query,
    )
  },
  'GET /console/appeals/next': ({ query }) => {
    const free = (one: QueueRow) => one.joined || one.officers.length === 0
    const due = (one: QueueRow) =>
      one.status === 'PENDING' && one.proposal?.officerId !== officerId && free(one)
    const oldest = rows.filter(due).toSorted((a, b) => Date.parse(a.filedAt) - Date.parse(b.filedAt))
    const others = oldest.filter((one) => one.id !== query.omit)
    return { appeal: others.find((one) => one.joined) ?? others[0] ?? null }
  },
  'GET /console/appeals/officers': () =>
    OFFICERS.map((one) => ({
      ...one,
      open: rows.filter((row) => row.assignee?.id === one.id && row.status === 'PENDING').length,
    })),
  'POST /console/appeals/{id}/assignee': ({ path, body, refuse }) => {
    const { row } = find(path.id, refuse)
    if ((row.assignee?.id ?? null) !== (body.before ?? null)) refuse('5050')
    const next = OFFICERS.find((one) => one.id === body.officerId)
    row.assignee = next === undefined ? null : { id: next.id, name: next.name }
    return row
  },
  'GET /console/waiting': () => {
    const count = (view: string) => rows.filter((one) => inView(one, view)).length
    const mine = rows.filter((one) => inView(one, 'MINE') && one.status === 'PENDING').length
    const appeals = { open: count('OPEN'), mine, decided: count('DECIDED') }
    return { appeals, certifications: 2, nicknames: 2, payouts: 3 }
  },
  'GET /console/appeals/{id}': ({ path, refuse }) => joined(path.id, refuse).readable,
  'GET /console/appeals/{id}/summary': ({ path, refuse }) => find(path.id, refuse).row,
  'POST /console/appeals/{id}/join': ({ path, refuse }) => {
    const { row, case: readable } = find(path.id, refuse)
    if (readable === null || row.endedAt !== null) return refuse('5002')
    if (!row.joined) {
      row.officers = [...row.officers, { id: officerId, name: officer }]
      row.assignee ??= { id: officerId, name: officer }
      row.joined = true
    }
    return readable
  },
  'POST /console/appeals/{id}/leave': ({ path, refuse }) => {
    const { row } = joined(path.id, refuse).found
    row.officers = row.officers.filter((one) => one.id !== officerId)
    if (row.assignee?.id === officerId) row.assignee = null
    row.joined = false
    return row
  },
  'GET /console/appeals/{id}/talk': ({ path, query, refuse }) => {
    const { talk } = joined(path.id, refuse)
    return { ...talk, entries: talk.entries.filter((one) => one.number > Number(query.after ?? '0')) }
  },
  'POST /console/appeals/{id}/talk': ({ path, body, refuse }) => {
    const { talk } = open(path.id, refuse)
    talk.last += 1
    const said: components['schemas']['ConsoleTalkEntry'] = {
      number: talk.last,
      kind: 'OFFICER',
      author: null,
      officer,
      text: body.text,
      files: [],
      warnings: [],
      automatic: false,
      notice: null,
      state: null,
      version: null,
      hash: talk.last.toString(16).padStart(64, '0'),
      at: minutesFromNow(0),
    }
    talk.entries.push(said)
    return said
  },
  'POST /console/appeals/{id}/notes': ({ path, body, refuse }) => {
    const { readable } = open(path.id, refuse)
    const note = { id: nextNumber() + 100, officer, officerId, text: body.text, at: minutesFromNow(0) }
    readable.notes = [...readable.notes, note]
    return readable
  },
  'POST /console/appeals/{id}/evidence-requests': ({ path, body, refuse }) => {
    const { readable } = open(path.id, refuse)
    const now = minutesFromNow(0)
    const dueAt = minutesFromNow(body.hours * HOUR)
    const { party, kind, details = null } = body
    for (const one of readable.requests) if (one.party === party && waits(one)) one.closedAt = now
    const asked = { id: nextNumber() + 100, party, kind, details, officer, askedAt: now, dueAt }
    readable.requests.push({ ...asked, answeredAt: null, closedAt: null })
    readable.summary.evidenceDueAt = dueAt
    return readable
  },
  'POST /console/appeals/{id}/evidence-requests/close': ({ path, body, refuse }) => {
    const { readable } = open(path.id, refuse)
    const request =
      readable.requests.find((one) => one.id === body.request) ?? refuse('400', { field: 'request' })
    if (!waits(request)) refuse('5050')
    request.closedAt = minutesFromNow(0)
    return readable
  },
  'GET /console/appeals/search': ({ query }) => {
    const text = (query.query ?? '').toLowerCase()
    const isNamed = ({ row, case: found }: HeldCase) =>
      [row.id, row.orderId].includes(text) ||
      [found?.parties.buyer, found?.parties.seller].some(
        (party) => text.length > 1 && party?.nickname?.toLowerCase().includes(text),
      )
    return held
      .filter(isNamed)
      .map(({ row }) => row)
      .slice(0, 20)
  },
  'POST /console/appeals/{id}/decision': ({ path, body, refuse }) => {
    const { found, readable } = open(path.id, refuse)
    if (body.version !== readable.version || !decide(found, body)) refuse('5050')
    return { status: found.row.proposal === null ? 'DONE' : 'PROPOSED', case: readable }
  },
}
