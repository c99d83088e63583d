import type { components } from '../../src/api/schema'
import { nextNumber } from '../operation.ts'
import { ADDRESS, DAY, HOUR, minutesFromNow } from '../values.ts'
import { BEN, OLGA } from './officers.ts'
import type { QueueRow } from './queue.ts'

type Schemas = components['schemas']
type Case = Schemas['ConsoleCase']

/** What each decision would do now, and which the officer may not make. */
export function optionsOf(summary: QueueRow): Case['allowed'] {
  const ended = summary.endedAt !== null
  const decided = summary.status === 'DECIDED'
  const fee = Number(summary.amount) / 1000
  const received = String(Number(summary.amount) - fee)
  const movement = (
    kind: Schemas['MovementKind'],
    amount: string,
    party: Schemas['Role'],
    address: string | null = null,
  ) => ({ kind, asset: summary.coin, amount, party, address })
  const movements = {
    BUYER: [movement('PAYOUT', received, 'BUYER', ADDRESS.buyer), movement('FEE', String(fee), 'BUYER')],
    SELLER: [movement('PAYOUT', summary.amount, 'SELLER', ADDRESS.bound)],
  }
  const rulings: Schemas['AppealRuling'][] = ['BUYER', 'SELLER', 'REJECT', 'REOPEN']
  return rulings.map((ruling) => {
    const fits = (ruling === 'REOPEN') === decided
    const voided = ruling === 'REJECT' && summary.reason === 'PAYOUT_VOIDED'
    const verdict = ruling === 'BUYER' || ruling === 'SELLER'
    return {
      ruling,
      allowed: !ended && fits && !voided,
      refusal: ended
        ? 'NOT_OPEN'
        : !fits
          ? ruling === 'REOPEN'
            ? 'NOT_DECIDED'
            : 'DECIDED'
          : voided
            ? 'CANNOT_RESUME'
            : null,
      outcome: verdict ? (ruling === 'BUYER' ? 'RELEASE' : 'CANCEL') : null,
      movements: verdict ? movements[ruling] : [],
      isProposed: summary.proposal?.ruling === ruling,
    }
  })
}

/** How long officers read a case after its end. */
export function readableUntil({ endedAt }: QueueRow): string | null {
  return endedAt === null ? null : new Date(Date.parse(endedAt) + 7 * DAY * 60_000).toISOString()
}

/** The note of each verdict that the mock begins with. */
export const NOTE = 'The buyer did not show any payment.'

export function act(
  kind: Schemas['AppealActKind'],
  winner: 'BUYER' | 'SELLER' | null,
  by: { id: string; name: string },
  note: string,
  minutes: number,
  malicious = false,
): Schemas['AppealAct'] {
  return { kind, winner, malicious, note, officer: by.name, officerId: by.id, at: minutesFromNow(minutes) }
}

/** A private note. */
export function noteOf(by: { id: string; name: string }, text: string, minutes: number): Schemas['CaseNote'] {
  return { id: nextNumber(), officer: by.name, officerId: by.id, text, at: minutesFromNow(minutes) }
}

export function historyOf({ proposal, status }: QueueRow): Case['history'] {
  if (proposal !== null)
    return [
      act('PROPOSAL', 'BUYER', BEN, 'The bank confirms the transfer from the buyer’s own account.', -HOUR),
    ]
  return status === 'DECIDED' || status === 'EXECUTED'
    ? [act('VERDICT', 'SELLER', OLGA, NOTE, -3 * HOUR)]
    : []
}
