import type { components } from '../../src/api/schema'
import type { Handlers } from '../operation.ts'
import { ADDRESS, DAY, minutesFromNow } from '../values.ts'
import { log, record } from './audit.ts'

type Schemas = components['schemas']

/** What replaces a rejected nickname. */
const NEUTRAL = 'User4821'

function user(
  id: string,
  nickname: string,
  more: Partial<Schemas['ConsoleUser']> = {},
): Schemas['ConsoleUser'] {
  return {
    id,
    nickname,
    email: `${nickname.slice(0, 1).toLowerCase()}***@m***.com`,
    region: 'VN',
    reputation: 80,
    online: true,
    certified: false,
    verified: false,
    flags: [],
    holdUntil: null,
    nicknamePendingSince: null,
    nicknameRefusal: null,
    publicNickname: nickname,
    createdAt: minutesFromNow(-200 * DAY),
    version: '1',
    ...more,
  }
}

export const users = [
  user('0198c2a4-0000-7000-8000-000000000001', 'MinhTrader', { certified: true, verified: true }),
  user('0198c2a4-0000-7000-8000-000000000002', 'Sofia88', { region: 'ES', certified: true }),
  user('0198c2a4-0000-7000-8000-000000000003', 'weichen', {
    region: 'CN',
    flags: ['WITHDRAWAL', 'SELL'],
    holdUntil: minutesFromNow(2 * DAY),
  }),
  user('0198c2a4-0000-7000-8000-000000000004', 'OfficialDesk', { nicknamePendingSince: minutesFromNow(-50) }),
  user('0198c2a4-0000-7000-8000-000000000005', 'Thistle', { nicknamePendingSince: minutesFromNow(-20) }),
]

function details(found: Schemas['ConsoleUser']): Schemas['ConsoleUserDetails'] {
  return {
    user: found,
    custodyAddress: ADDRESS.custody,
    hasSecurityPassword: true,
    sessions: 2,
    openAdverts: 1,
    openOrders: 3,
    decisions: log.filter((entry) => entry.subjectId === found.id && entry.reason !== null),
  }
}

/** Applies a decision to a user, unless the user has changed since the officer saw it. */
function decide(
  {
    path,
    body,
    refuse,
  }: { path: { id: string }; body: { version: string; reason: string } } & {
    refuse: (code: '1016' | '5050') => never
  },
  action: string,
  change: Partial<Schemas['ConsoleUser']>,
): Schemas['ConsoleUserDetails'] {
  const found = users.find((one) => one.id === path.id) ?? refuse('1016')
  if (body.version !== found.version) refuse('5050')
  record(action, 'user', found.id, {}, body.reason)
  Object.assign(found, change, { version: String(Number(found.version) + 1) })
  return details(found)
}

export const handlers: Handlers = {
  'GET /console/users': ({ query }) => {
    const asked = (query.query ?? '').toLowerCase()
    return users.filter((one) => one.id === asked || (one.nickname ?? '').toLowerCase().startsWith(asked))
  },
  'GET /console/users/{id}': ({ path, refuse }) =>
    details(users.find((one) => one.id === path.id) ?? refuse('1016')),
  'POST /console/users/{id}/flags': (call) => decide(call, 'set_flags', { flags: call.body.flags }),
  'POST /console/users/{id}/badges': (call) =>
    decide(call, 'set_badges', { certified: call.body.certified, verified: call.body.verified }),
  'POST /console/users/{id}/hold': (call) => decide(call, 'hold', { holdUntil: call.body.until ?? null }),
  'POST /console/users/{id}/sessions/end': (call) => decide(call, 'end_sessions', {}),
  'POST /console/users/{id}/nickname': (call) =>
    call.body.verdict === 'APPROVE'
      ? decide(call, 'approve_nickname', { nicknamePendingSince: null })
      : decide(call, 'reject_nickname', {
          nickname: NEUTRAL,
          publicNickname: NEUTRAL,
          nicknamePendingSince: null,
          nicknameRefusal: call.body.reason,
        }),
  'GET /console/nicknames': () =>
    users.flatMap((one) =>
      one.nicknamePendingSince === null ? [] : [{ user: one, since: one.nicknamePendingSince }],
    ),
  'POST /console/nicknames': ({ body }) => {
    const chosen = new Map(body.nicknames.map(({ id, version }) => [id, version]))
    const fresh = (one: Schemas['ConsoleUser']) =>
      one.nicknamePendingSince !== null && chosen.get(one.id) === one.version
    const done = users.filter(fresh)
    for (const one of done) {
      one.nicknamePendingSince = null
      if (body.verdict === 'REJECT')
        Object.assign(one, { nickname: NEUTRAL, publicNickname: NEUTRAL, nicknameRefusal: body.reason })
      record(
        body.verdict === 'REJECT' ? 'reject_nickname' : 'approve_nickname',
        'user',
        one.id,
        {},
        body.reason,
      )
    }
    const reviewed = new Set(done.map((one) => one.id))
    const results = [...chosen.keys()].map((id) => ({
      id,
      result: reviewed.has(id) ? ('REVIEWED' as const) : ('CHANGED' as const),
    }))
    return { results }
  },
}
