import type { components } from '../../src/api/schema'
import { DAY, HOUR, minutesFromNow } from '../values.ts'
import { BEN, MINA, OLGA } from './officers.ts'

type Schemas = components['schemas']
export type QueueRow = Schemas['ConsoleAppeal']

function row(id: string, more: Partial<QueueRow> = {}): QueueRow {
  const made: QueueRow = {
    id,
    orderId: `0198d000-0000-7000-8000-${id.slice(-12)}`,
    base: 'MEC',
    quote: 'USD',
    side: 'SELL',
    kind: 'MANUAL',
    number: 1,
    orderState: 'AWAITING_CONFIRMATION',
    status: 'PENDING',
    reason: 'PAYMENT_NOT_RECEIVED',
    filedAt: minutesFromNow(-26 * HOUR - 12),
    filedBy: 'SELLER',
    amount: '100',
    coin: 'MEC',
    value: { amount: '48.35', unit: 'USDT' },
    signals: [],
    risk: 0,
    officers: [],
    assignee: null,
    joined: false,
    proposal: null,
    requires: 'CUSTOMER_SERVICE',
    dueAt: null,
    evidenceDueAt: null,
    executesAt: null,
    endedAt: null,
    ...more,
  }
  const due = new Date(Date.parse(made.filedAt) + DAY * 60_000).toISOString()
  return { ...made, dueAt: made.status === 'PENDING' ? due : null }
}

function proposalByBen(): Schemas['AppealProposal'] {
  return {
    officer: BEN.name,
    officerId: BEN.id,
    ruling: 'BUYER',
    malicious: false,
    at: minutesFromNow(-HOUR),
  }
}

/** The ID of a case, by its number in this mock. */
export const caseId = (number: number) => `0198c3a0-0000-7000-8000-${String(number).padStart(12, '0')}`

export const rows: QueueRow[] = [
  row(caseId(1), {
    evidenceDueAt: minutesFromNow(-HOUR),
    signals: ['RECEIPT_USED_BEFORE', 'NEW_ACCOUNT'],
    risk: 7,
    officers: [OLGA],
    joined: true,
  }),
  row(caseId(2), {
    assignee: BEN,
    base: 'USDT',
    quote: 'EUR',
    coin: 'USDT',
    amount: '25000',
    value: { amount: '25000', unit: 'USDT' },
    reason: 'THIRD_PARTY_PAYMENT',
    filedBy: 'BUYER',
    filedAt: minutesFromNow(-5 * HOUR - 31),
    signals: ['VALUE_ABOVE_LIMIT', 'LOST_APPEALS_BEFORE', 'MALICIOUS_APPEALS_BEFORE'],
    risk: 9,
    officers: [BEN, OLGA],
    joined: true,
    proposal: proposalByBen(),
    requires: 'TWO_OFFICERS',
  }),
  row(caseId(3), {
    assignee: MINA,
    base: 'MEC',
    quote: 'KRW',
    amount: '4200',
    value: { amount: '2030.7', unit: 'USDT' },
    reason: 'NOT_RELEASED',
    filedBy: 'BUYER',
    filedAt: minutesFromNow(-52),
    signals: ['LOW_REPUTATION', 'MANY_APPEALS'],
    risk: 5,
    officers: [MINA],
    requires: 'APPEAL_OFFICER',
  }),
  row(caseId(4), {
    base: 'MEC',
    quote: 'USDT',
    amount: '900',
    value: { amount: '435.15', unit: 'USDT' },
    reason: 'NOT_PAID',
    filedAt: minutesFromNow(-3 * DAY - 4 * HOUR),
    status: 'DECIDED',
    officers: [OLGA],
    joined: true,
    executesAt: minutesFromNow(21 * HOUR + 17),
  }),
  row(caseId(5), {
    amount: '60',
    value: { amount: '29.01', unit: 'USDT' },
    reason: 'UNRESPONSIVE',
    filedAt: minutesFromNow(-9 * DAY),
    status: 'EXECUTED',
    endedAt: minutesFromNow(-6 * DAY),
    orderState: 'CANCELLED',
    officers: [OLGA],
    joined: true,
  }),
  row(caseId(6), {
    amount: '310',
    value: null,
    reason: 'FRAUD',
    filedAt: minutesFromNow(-12 * DAY),
    status: 'WITHDRAWN',
    endedAt: minutesFromNow(-11 * DAY),
    orderState: 'COMPLETED',
    officers: [MINA],
    requires: 'TWO_OFFICERS',
  }),
  row(caseId(7), {
    amount: '15',
    value: { amount: '7.25', unit: 'USDT' },
    reason: 'OVERDUE',
    filedBy: 'PLATFORM',
    filedAt: minutesFromNow(-7 * HOUR - 40),
  }),
  row(caseId(8), {
    amount: '75',
    value: { amount: '36.26', unit: 'USDT' },
    reason: 'WRONG_AMOUNT',
    filedBy: 'BUYER',
    filedAt: minutesFromNow(-3 * HOUR),
    officers: [OLGA],
    joined: true,
  }),
  // For tests that decide.
  ...[9, 10, 12, 13, 14, 15].map((number) =>
    row(caseId(number), { amount: '50', filedAt: minutesFromNow(-20), officers: [OLGA], joined: true }),
  ),
  row(caseId(11), {
    amount: '31000',
    value: { amount: '14988.5', unit: 'USDT' },
    filedAt: minutesFromNow(-10),
    signals: ['VALUE_ABOVE_LIMIT'],
    risk: 1,
    officers: [BEN, OLGA],
    joined: true,
    proposal: proposalByBen(),
    requires: 'TWO_OFFICERS',
  }),
]

const RISKS = new Map(rows.map((one) => [one.id, one.risk]))
/** The keys by which the orders of the queue sort. */
export const SORTS: Record<string, (row: QueueRow) => number> = {
  AGE: (one) => Date.parse(one.filedAt),
  AMOUNT: (one) => -Number(one.value?.amount ?? 'Infinity'),
  RISK: (one) => -(RISKS.get(one.id) ?? 0),
}

const ENDED = new Set(['WITHDRAWN', 'REJECTED', 'EXECUTED'])

export function inView(one: QueueRow, view: string): boolean {
  if (view === 'MINE') return one.joined && !ENDED.has(one.status)
  if (view === 'ENDED') return ENDED.has(one.status)
  return one.status === (view === 'DECIDED' ? 'DECIDED' : 'PENDING')
}
