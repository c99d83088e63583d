import type { components } from '../../src/api/schema'
import { HOUR, minutesFromNow } from '../values.ts'
import { rows } from './queue.ts'

type CaseEntry = components['schemas']['ConsoleTalkEntry']

export function entry(number: number, minutes: number, more: Partial<CaseEntry>): CaseEntry {
  return {
    number,
    kind: 'MESSAGE',
    author: null,
    officer: null,
    text: '',
    files: [],
    warnings: [],
    notice: null,
    state: null,
    version: null,
    hash: number.toString(16).padStart(64, '0'),
    at: minutesFromNow(minutes),
    ...more,
  }
}

function logOf(): CaseEntry[] {
  const said: [number, Partial<CaseEntry>][] = [
    [-30 * HOUR, { kind: 'SYSTEM', notice: 'NEW_ORDER', author: 'BUYER' }],
    [-30 * HOUR + 2, { kind: 'SYSTEM', notice: 'ORDER_ACCEPTED', author: 'SELLER' }],
    [-29 * HOUR, { kind: 'SYSTEM', notice: 'ORDER_DEPOSITED' }],
    [-29 * HOUR + 1, { author: 'SELLER', text: 'Please pay to the account shown in the order.' }],
    [
      -29 * HOUR + 4,
      { author: 'BUYER', text: 'It’s faster on Telegram: @kaya_d', warnings: ['OFF_PLATFORM'] },
    ],
    [-28 * HOUR, { kind: 'SYSTEM', notice: 'ORDER_PAID', author: 'BUYER' }],
    [-28 * HOUR + 1, { author: 'BUYER', text: 'I’ve paid. Please release.', warnings: ['EARLY_RELEASE'] }],
    [-28 * HOUR + 3, { author: 'BUYER', text: 'The bank says it has arrived.' }],
    [-28 * HOUR + 9, { author: 'SELLER', text: 'Nothing has arrived. From which account did you send it?' }],
    [-27 * HOUR, { author: 'SELLER', text: 'Hello? Please answer.' }],
    [-26 * HOUR - 12, { kind: 'SYSTEM', notice: 'APPEAL_FILED', author: 'SELLER' }],
    [-25 * HOUR, { kind: 'SYSTEM', notice: 'EVIDENCE_ADDED', author: 'BUYER' }],
    [
      -2 * HOUR,
      {
        kind: 'OFFICER',
        officer: 'Olga',
        text: 'Kaya, please add the statement of the account from which you paid.',
      },
    ],
  ]
  return said.map(([minutes, more], index) => entry(index + 1, minutes, more))
}

/** The order log of each case. */
export const logs = new Map(rows.map((one) => [one.id, logOf()]))
