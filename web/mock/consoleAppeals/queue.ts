import type { QueueRow } from './cases.ts'
import { OLGA } from './officers.ts'

/** The keys by which the orders of the queue sort. */
export const SORTS: Record<string, (row: QueueRow) => number> = {
  AGE: (one) => Date.parse(one.filedAt),
  AMOUNT: (one) => -Number(one.value?.amount ?? 'Infinity'),
  RISK: (one) => -one.risk,
}

const ENDED = new Set(['WITHDRAWN', 'REJECTED', 'EXECUTED'])

export function inView(one: QueueRow, view: string): boolean {
  if (view === 'MINE') return (one.joined || one.assignee?.id === OLGA.id) && !ENDED.has(one.status)
  if (view === 'ENDED') return ENDED.has(one.status)
  return one.status === (view === 'DECIDED' ? 'DECIDED' : 'PENDING')
}
