import type { components } from '../../src/api/schema'
import { type CaseExample, decidedExample, exampleCase } from '../examples.ts'
import { nextNumber } from '../operation.ts'
import { caseId, minutesFromNow } from '../values.ts'

type Schemas = components['schemas']
export type Case = Schemas['ConsoleCase']
export type QueueRow = Schemas['ConsoleAppeal']

const NAMES: CaseExample[] = [
  'evidence-requested',
  'proposed',
  'not-joined',
  'decided',
  'executed',
  'withdrawn',
  'by-the-platform',
  'wrong-amount',
  // For tests that decide.
  'small',
  'small',
  'large',
  'small',
  'small',
  'small',
  'small',
]

export interface HeldCase {
  name: CaseExample
  row: QueueRow
  /** Its summary is the row. */
  case: Case | null
  talk: Schemas['ConsoleTalk'] | null
}

const orderIdOf = (id: string) => id.replace('0198c3a0', '0198d000')

export const held = NAMES.map((name, index): HeldCase => {
  const id = caseId(index + 1)
  const { row, case: found, talk } = exampleCase(name, id, orderIdOf(id))
  return { name, row, case: found && { ...found, summary: row }, talk }
})

export const rows = held.map(({ row }) => row)

/** Makes a case look as the product has shown it after a decision. Returns whether the product has. */
export function decide({ name, row, case: found }: HeldCase, body: Schemas['ConsoleAppealDecisionBody']) {
  const next = decidedExample(name, body.ruling)
  const shown = next && exampleCase(next, row.id, row.orderId)
  const act = shown?.case?.history.at(-1)
  if (shown?.case == null || act === undefined || found === null) return false
  const { note, malicious = false } = body
  const { officers, assignee, evidenceDueAt } = row
  Object.assign(row, shown.row, { officers, assignee, evidenceDueAt })
  if (row.proposal !== null) row.proposal.malicious = malicious
  const { history, notes, requests } = found
  Object.assign(found, shown.case, { summary: row, notes, requests })
  found.history = [...history, { ...act, note, malicious, at: minutesFromNow(0) }]
  found.version = `${shown.case.version}-${nextNumber()}`
  if (found.appeal.reviewNote !== null) Object.assign(found.appeal, { reviewNote: note, malicious })
  return true
}
