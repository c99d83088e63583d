import { type Case, cases } from './consoleAppeals/cases.ts'
import { act, noteOf, optionsOf, readableUntil } from './consoleAppeals/decisions.ts'
import { BEN, MINA, OLGA } from './consoleAppeals/officers.ts'
import { inView, type QueueRow, rows, SORTS } from './consoleAppeals/queue.ts'
import { entry, logs } from './consoleAppeals/talk.ts'
import { type Handlers, nextNumber, page } from './operation.ts'
import { DAY, HOUR, minutesFromNow } from './values.ts'

/** Returns a case, if the officer is on it. */
function joined(id: string, refuse: (code: '5001' | '6008') => never): Case {
  const found = cases.get(id) ?? refuse('5001')
  return found.summary.joined ? found : refuse('6008')
}

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
    const waits = (one: QueueRow) =>
      one.status === 'PENDING' && one.proposal?.officerId !== OLGA.id && free(one)
    const oldest = rows.filter(waits).toSorted((a, b) => Date.parse(a.filedAt) - Date.parse(b.filedAt))
    const others = oldest.filter((one) => one.id !== query.omit)
    return { appeal: others.find((one) => one.joined) ?? others[0] ?? null }
  },
  'GET /console/appeals/officers': () =>
    [BEN, MINA, OLGA].map(({ id, name }) => ({
      id,
      name,
      role: 'APPEAL_OFFICER' as const,
      open: rows.filter((row) => row.assignee?.id === id && row.status === 'PENDING').length,
    })),
  'POST /console/appeals/{id}/assignee': ({ path, body, refuse }) => {
    const { summary } = cases.get(path.id) ?? refuse('5001')
    if ((summary.assignee?.id ?? null) !== (body.before ?? null)) refuse('5050')
    summary.assignee = [BEN, MINA, OLGA].find((one) => one.id === body.officerId) ?? null
    return summary
  },
  'GET /console/waiting': () => {
    const count = (view: string) => rows.filter((one) => inView(one, view)).length
    const mine = rows.filter((one) => one.joined && one.status === 'PENDING').length
    const appeals = { open: count('OPEN'), mine, decided: count('DECIDED') }
    return { appeals, certifications: 2, nicknames: 2, payouts: 3 }
  },
  'GET /console/appeals/{id}': ({ path, refuse }) => joined(path.id, refuse),
  'GET /console/appeals/{id}/summary': ({ path, refuse }) => (cases.get(path.id) ?? refuse('5001')).summary,
  'POST /console/appeals/{id}/join': ({ path, refuse }) => {
    const found = cases.get(path.id) ?? refuse('5001')
    const { summary } = found
    if (!summary.joined) {
      summary.officers = [...summary.officers, OLGA]
      summary.joined = true
    }
    return found
  },
  'POST /console/appeals/{id}/leave': ({ path, refuse }) => {
    const { summary } = joined(path.id, refuse)
    summary.officers = summary.officers.filter((one) => one.id !== OLGA.id)
    summary.joined = false
    return summary
  },
  'GET /console/appeals/{id}/talk': ({ path, query, refuse }) => {
    joined(path.id, refuse)
    const entries = logs.get(path.id) ?? []
    return {
      entries: entries.filter((one) => one.number > Number(query.after ?? '0')),
      last: entries.length,
      marks: [
        { party: 'BUYER', deliveredTo: 1, readTo: 1 },
        { party: 'SELLER', deliveredTo: 1, readTo: 1 },
      ],
      open: true,
    }
  },
  'POST /console/appeals/{id}/talk': ({ path, body, refuse }) => {
    if (joined(path.id, refuse).summary.endedAt !== null) refuse('5002')
    const entries = logs.get(path.id) ?? []
    const said = entry(entries.length + 1, 0, { kind: 'OFFICER', officer: OLGA.name, text: body.text })
    entries.push(said)
    return said
  },
  'POST /console/appeals/{id}/notes': ({ path, body, refuse }) => {
    const found = joined(path.id, refuse)
    if (found.summary.endedAt !== null) refuse('5002')
    found.notes = [...found.notes, noteOf(OLGA, body.text, 0)]
    return found
  },
  'POST /console/appeals/{id}/evidence-requests': ({ path, body, refuse }) => {
    const found = joined(path.id, refuse)
    if (found.summary.endedAt !== null) refuse('5002')
    const dueAt = minutesFromNow(body.hours * HOUR)
    const waits = (one: Case['requests'][number]) => one.answeredAt === null && one.closedAt === null
    for (const one of found.requests)
      if (one.party === body.party && waits(one)) one.closedAt = minutesFromNow(0)
    const { party, kind, details = null } = body
    found.requests.push({
      id: nextNumber(),
      party,
      kind,
      details,
      officer: OLGA.name,
      askedAt: minutesFromNow(0),
      dueAt,
      answeredAt: null,
      closedAt: null,
    })
    found.summary.evidenceDueAt = dueAt
    return found
  },
  'POST /console/appeals/{id}/evidence-requests/close': ({ path, body, refuse }) => {
    const found = joined(path.id, refuse)
    const request =
      found.requests.find((one) => one.id === body.request) ?? refuse('400', { field: 'request' })
    if (request.answeredAt !== null || request.closedAt !== null) refuse('5050')
    request.closedAt = minutesFromNow(0)
    return found
  },
  'GET /console/appeals/search': ({ query }) => {
    const text = (query.query ?? '').toLowerCase()
    const named = (one: QueueRow) =>
      one.id === text || one.orderId === text || (text.length > 1 && 'minhtrader kaya_d'.includes(text))
    return rows.filter(named).slice(0, 20)
  },
  'POST /console/appeals/{id}/decision': ({ path, body, refuse }) => {
    const found = joined(path.id, refuse)
    const { summary, appeal, history } = found
    const { ruling, note, malicious = false } = body
    if (summary.endedAt !== null) refuse('5002')
    if (body.version !== found.version) refuse('5050')
    found.version = String(nextNumber() + 100)
    const winner = ruling === 'BUYER' || ruling === 'SELLER' ? ruling : null
    const { proposal } = summary
    const agreed =
      proposal?.officerId === BEN.id && proposal.ruling === ruling && proposal.malicious === malicious
    if (summary.requires === 'TWO_OFFICERS' && ruling !== 'REOPEN' && !agreed) {
      const at = minutesFromNow(0)
      summary.proposal = { officer: OLGA.name, officerId: OLGA.id, ruling, malicious, at }
      history.push(act('PROPOSAL', winner, OLGA, note, 0, malicious))
      return { status: 'PROPOSED', case: found }
    }
    if (winner !== null) {
      const outcome = ruling === 'BUYER' ? 'RELEASE' : 'CANCEL'
      Object.assign(summary, {
        proposal: null,
        status: 'DECIDED',
        executesAt: minutesFromNow(DAY),
        dueAt: null,
      })
      Object.assign(appeal, { status: 'DECIDED', winner, outcome, reviewNote: note })
      history.push(act('VERDICT', winner, OLGA, note, 0, malicious))
    } else if (ruling === 'REOPEN') {
      Object.assign(summary, { status: 'PENDING', executesAt: null })
      Object.assign(appeal, { status: 'PENDING', winner: null, outcome: null, reviewNote: null })
      history.push(act('REOPENING', null, OLGA, note, 0))
    } else {
      Object.assign(summary, { proposal: null, status: 'REJECTED', endedAt: minutesFromNow(0) })
      history.push(act('REJECTION', null, OLGA, note, 0, malicious))
    }
    found.allowed = optionsOf(summary)
    found.readableUntil = readableUntil(summary)
    return { status: 'DONE', case: found }
  },
}
