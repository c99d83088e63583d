import type { components } from '../../src/api/schema'
import { type Handlers, nextNumber } from '../operation.ts'
import { DAY, minutesFromNow } from '../values.ts'

type Schemas = components['schemas']

export const log: Schemas['AuditEntry'][] = []

export function record(
  action: string,
  subjectKind: string,
  subjectId: string,
  details: Record<string, unknown>,
  reason: string | null,
  at = minutesFromNow(0),
) {
  const by = { officerId: 'officer-1', officer: 'Ada', address: '198.51.100.7' }
  log.unshift({ id: nextNumber(), ...by, action, subjectKind, subjectId, details, reason, at })
}

record(
  'create_officer',
  'officer',
  'officer-2',
  { name: 'Olga', role: 'APPEAL_OFFICER' },
  'joins the team',
  minutesFromNow(-3 * DAY),
)
record('sign_in', 'officer', 'officer-1', {}, null, minutesFromNow(-2 * DAY))
record('search_users', 'platform', '', { query: 'weichen' }, null, minutesFromNow(-2 * DAY))
record(
  'set_flags',
  'user',
  '0198c2a4-0000-7000-8000-000000000003',
  { before: [], after: ['WITHDRAWAL', 'SELL'] },
  'Three buyers reported the same account. Waiting for papers.',
  minutesFromNow(-2 * DAY),
)
record(
  'set_pair',
  'pair',
  '1',
  { setting: 'fee_rate', before: '0.002', after: '0.001' },
  'The season',
  minutesFromNow(-60),
)

export const handlers: Handlers = {
  'GET /console/audit': ({ query }) => {
    const entries = log.filter(
      (entry) =>
        (query.officer === undefined || entry.officerId === query.officer) &&
        (query.action === undefined || entry.action === query.action) &&
        (query.subjectKind === undefined || entry.subjectKind === query.subjectKind) &&
        (query.decisions !== 'true' || entry.reason !== null),
    )
    return { entries: entries.slice(0, 50), next: null }
  },
}
