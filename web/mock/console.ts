import type { components } from '../src/api/schema'
import type { Handlers } from './operation.ts'
import { nextNumber } from './operation.ts'
import { ADDRESS, HASH, minutesFromNow } from './values.ts'

type Schemas = components['schemas']

const DAY = 1440

const me: Schemas['OwnOfficer'] = {
  id: 'officer-1',
  name: 'Ada',
  role: 'ADMINISTRATOR',
  expiresAt: minutesFromNow(12 * 60),
  calls: [
    'get /console/dashboard',
    'get /console/users',
    'get /console/nicknames',
    'get /console/certifications',
    'get /console/adverts',
    'get /console/payouts',
    'get /console/pairs',
    'get /console/maintenance',
    'get /console/officers',
    'get /console/audit',
  ],
  appealRules: null,
  serverTime: minutesFromNow(0),
}

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

const users = [
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

function ad(number: number, more: Partial<Schemas['ConsoleAdvert']> = {}): Schemas['ConsoleAdvert'] {
  return {
    id: `0198c2a5-0000-7000-8000-${String(number).padStart(12, '0')}`,
    ownerId: users[0]?.id ?? '',
    ownerNickname: 'MinhTrader',
    base: 'MEC',
    quote: 'USD',
    side: 'SELL',
    kind: 'MANUAL',
    price: '0.4835',
    quantity: '1000',
    remaining: '740',
    remark: null,
    state: 'ONLINE',
    frozen: false,
    runningOrders: 0,
    createdAt: minutesFromNow(-2 * DAY),
    takenDown: null,
    removable: true,
    version: '4',
    ...more,
  }
}

const ads = [
  ad(1, { remark: 'Write to me on Telegram first, we settle outside: @minh_fast_cash', runningOrders: 2 }),
  ad(2, { side: 'BUY', quote: 'KRW', price: '1310', state: 'OFFLINE' }),
  ad(3, {
    ownerId: users[1]?.id ?? '',
    ownerNickname: 'Sofia88',
    state: 'REVOKING',
    removable: false,
    takenDown: {
      reason: 'The remark asks for a payment to someone else’s account.',
      at: minutesFromNow(-90),
    },
  }),
]

const applications: Schemas['PendingCertificationItem'][] = [3, 4].flatMap((index) => {
  const applicant = users[index]
  if (applicant === undefined) return []
  return [
    {
      id: `0198c2a6-0000-7000-8000-00000000000${index}`,
      user: applicant,
      appliedAt: minutesFromNow(-60 * index),
      stats: {
        orders30d: 12 * index,
        completionRate: '0.962',
        averageConfirmSeconds: 420,
        confirmations: 0,
        lateConfirmations: 0,
        acceptanceRate: null,
      },
      checks: [
        { requirement: 'ADVANCED_VERIFICATION', met: true, has: null, needed: null },
        { requirement: 'REPUTATION', met: index === 3, has: index === 3 ? 100 : 60, needed: 80 },
      ],
      version: '1',
    },
  ]
})

const log: Schemas['AuditEntry'][] = []

function record(
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

function pair(id: number, base: string, quote: string, reference: string): Schemas['ConsolePair'] {
  const settings: [string, string][] = [
    ['fee_rate', '0.001'],
    ['fee_minimum', '0.001'],
    ['order_minimum', '1'],
    ['order_maximum', '1000000'],
    ['price_band', '0.1'],
    ['price_decimals', '4'],
    ['acceptance_window', '5'],
    ['advert_deposit_window', '30'],
    ['order_deposit_window', '15'],
    ['payment_window', '15'],
    ['confirmation_window', '15'],
    ['grace_period', '10'],
    ['trading', 'on'],
  ]
  return {
    id,
    base,
    quote,
    settings: settings.map(([name, value]) => ({ name, value })),
    version: '1',
    referencePrice: reference,
    referenceSetBy: id === 1 ? 'Ada' : null,
    referenceSetAt: id === 1 ? minutesFromNow(-5 * DAY) : null,
    referenceVersion: '1',
  }
}

const pairs = [pair(1, 'MEC', 'USDT', '2.5'), pair(2, 'MEC', 'KRW', '3400'), pair(3, 'USDT', 'EUR', '0.92')]

/** The encoded call `voidReference(uint64)`. */
const voidData = (reference: number) => `0xa42826cc${reference.toString(16).padStart(64, '0')}`

const payouts: Schemas['ConsolePayouts'] = {
  stops: [
    {
      assetId: 7,
      asset: 'MEC',
      since: minutesFromNow(-90),
      because: `vault ${ADDRESS.custody} holds 41000000000000000000 instead of 42000000000000000000 at block 81204`,
      againAt: null,
      againBecause: null,
      version: '1',
    },
  ],
  vaults: [
    {
      userId: '0198c2a4-0000-7000-8000-000000000002',
      address: ADDRESS.bound,
      asset: 'USDT',
      cause: 'debt',
      since: minutesFromNow(-DAY),
      because: 'its owner owes for a reorganization',
    },
  ],
  failing: [
    {
      reference: '1204',
      purpose: 'withdrawal',
      asset: 'USDT',
      amount: '250',
      recipient: ADDRESS.receiving,
      failures: 4,
      since: minutesFromNow(-130),
      toBeVoided: false,
      voidedIfRefused: false,
      voidCalls: [],
      version: '0',
    },
    {
      reference: '1210',
      purpose: 'release',
      asset: 'MEC',
      amount: '40',
      recipient: ADDRESS.receiving,
      failures: 3,
      since: minutesFromNow(-90),
      toBeVoided: false,
      voidedIfRefused: false,
      voidCalls: [
        { reference: '1210', to: ADDRESS.custody, data: voidData(1210) },
        { reference: '1211', to: ADDRESS.custody, data: voidData(1211) },
      ],
      version: '0',
    },
  ],
  uncredited: [
    {
      asset: 'USDT',
      amount: '1000',
      vault: ADDRESS.custody,
      userId: '0198c2a4-0000-7000-8000-000000000001',
      block: 81190,
      transaction: HASH,
    },
  ],
}

function dashboard(): Schemas['ConsoleDashboard'] {
  return {
    at: minutesFromNow(0),
    volumes: [
      {
        asset: 'MEC',
        decimals: 18,
        day: { orders: 128, quantity: '48210537500000000000000' },
        week: { orders: 1043, quantity: '391002250000000000000000' },
      },
      {
        asset: 'USDT',
        decimals: 6,
        day: { orders: 1, quantity: '250000000' },
        week: { orders: 96, quantity: '80214990000' },
      },
    ],
    openOrders: [
      { state: 'AWAITING_ACCEPTANCE', orders: 7 },
      { state: 'AWAITING_DEPOSIT', orders: 3 },
      { state: 'AWAITING_PAYMENT', orders: 24 },
      { state: 'AWAITING_CONFIRMATION', orders: 11 },
      { state: 'RELEASING', orders: 2 },
      { state: 'RELEASE_REVOKED', orders: 0 },
      { state: 'REFUNDING', orders: 0 },
    ],
    appeals: { waiting: 4, overdue: 1, oldestDueAt: minutesFromNow(-75) },
    decisionsWeek: { decided: 12, median: 4 * 3600, ninetieth: 19 * 3600 + 1260 },
    decisionsMonth: { decided: 51, median: 5 * 3600 + 600, ninetieth: 26 * 3600 },
    escrow: {
      beganAt: minutesFromNow(-1),
      endedAt: minutesFromNow(0),
      staleAt: minutesFromNow(10),
      firstBlock: 81203,
      lastBlock: 81204,
      assets: [
        {
          asset: 'MEC',
          decimals: 18,
          onChain: '912040000000000000000000',
          inLedger: '912041000000000000000000',
          difference: '-1000000000000000000',
          vaults: 412,
          short: 1,
          unknown: 0,
          leftOut: 0,
        },
        {
          asset: 'USDT',
          decimals: 6,
          onChain: '250120000000',
          inLedger: '250120000000',
          difference: '0',
          vaults: 388,
          short: 0,
          unknown: 0,
          leftOut: 1,
        },
      ],
    },
    payouts: {
      stops: payouts.stops.map(({ asset, since, because }) => ({ asset, since, because })),
      failing: payouts.failing.map(({ reference, purpose, asset, failures, since }) => ({
        reference,
        purpose,
        asset,
        decimals: 6,
        amount: '250000000',
        failures,
        since,
      })),
      failingTotal: payouts.failing.length,
      vaults: payouts.vaults.map(({ userId, asset, cause, since, because }) => ({
        userId,
        asset,
        cause,
        since,
        because,
      })),
      vaultsTotal: payouts.vaults.length,
    },
  }
}

const maintenance: Schemas['ConsoleMaintenance'] = { closed: false, closings: [], version: '0' }

function officer(
  id: string,
  name: string,
  role: Schemas['OfficerRole'],
  more: Partial<Schemas['ConsoleOfficer']> = {},
) {
  const made: Schemas['ConsoleOfficer'] = {
    id,
    name,
    email: `${name.toLowerCase()}@mec2c.example`,
    role,
    awaitsApproval: false,
    appointedBy: null,
    setupLink: 'NOT_NEEDED',
    enrolledAt: minutesFromNow(-30 * DAY),
    linkExpiresAt: null,
    disabledAt: null,
    createdAt: minutesFromNow(-31 * DAY),
    seenAt: minutesFromNow(-3),
    version: '1',
    ...more,
  }
  return made
}

const officers = [
  officer('officer-1', 'Ada', 'ADMINISTRATOR'),
  officer('officer-2', 'Olga', 'APPEAL_OFFICER'),
  officer('officer-3', 'Carl', 'CUSTOMER_SERVICE', {
    enrolledAt: null,
    setupLink: 'SEND',
    linkExpiresAt: minutesFromNow(600),
    seenAt: null,
  }),
  officer('officer-4', 'Dora', 'CUSTOMER_SERVICE', {
    enrolledAt: null,
    awaitsApproval: true,
    appointedBy: 'Alan',
    setupLink: 'APPROVE',
    seenAt: null,
  }),
]

export const handlers: Handlers = {
  'GET /console/me': () => ({ ...me, serverTime: minutesFromNow(0) }),
  'POST /console/sign-in': ({ body, refuse }) => {
    if (body.code === '000000') refuse('6001')
    return { expiresAt: minutesFromNow(720) }
  },
  'POST /console/sign-out': () => null,
  'POST /console/enrollment/begin': ({ body, refuse }) => {
    if (body.token === 'used') refuse('6002')
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    return {
      name: 'Carl',
      email: 'carl@mec2c.example',
      role: 'CUSTOMER_SERVICE',
      secret,
      uri: `otpauth://totp/MEC2C:carl@mec2c.example?secret=${secret}&issuer=MEC2C`,
    }
  },
  'POST /console/enrollment': ({ body, refuse }) => {
    if (body.code === '000000') refuse('6003', { field: 'code' })
    return null
  },
  'GET /console/dashboard': dashboard,
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
  'GET /console/certifications': () => applications,
  'POST /console/certifications/{id}/decision': ({ path, body, refuse }) => {
    const index = applications.findIndex((one) => one.id === path.id)
    const found = applications[index] ?? refuse('1016')
    if (body.version !== found.version) refuse('5050')
    if (body.verdict === 'APPROVE' && found.checks.some(({ met }) => !met)) refuse('5062')
    applications.splice(index, 1)
    if (body.verdict === 'APPROVE') found.user.certified = true
    record(
      body.verdict === 'APPROVE' ? 'approve_certification' : 'reject_certification',
      'user',
      found.user.id,
      {},
      body.reason,
    )
    return null
  },
  'GET /console/adverts': ({ query }) => {
    const text = (query.query ?? '').toLowerCase()
    return ads.filter((one) => one.id === text || one.ownerNickname?.toLowerCase().includes(text))
  },
  'POST /console/adverts/{id}/takedown': ({ path, body, refuse }) => {
    const found = ads.find((one) => one.id === path.id) ?? refuse('5000')
    if (body.version !== found.version) refuse('5050')
    record('take_down_advert', 'advert', found.id, {}, body.reason)
    const takenDown = { reason: body.reason, at: minutesFromNow(0) }
    return Object.assign(found, { takenDown, state: 'REVOKING', removable: false, version: '9' })
  },
  'GET /console/payouts': () => payouts,
  'POST /console/payouts/{id}/resume': ({ refuse }) =>
    refuse('6006', { differences: `vault ${ADDRESS.custody} holds less than the ledger` }),
  'POST /console/payouts/legs/{id}/void': ({ path, body, refuse }) => {
    const leg = payouts.failing.find((one) => one.reference === path.id) ?? refuse('1016')
    if (body.version !== leg.version) refuse('5050')
    record(
      'void_payout',
      'user',
      users[0]?.id ?? '',
      { reference: leg.reference, purpose: leg.purpose },
      body.reason,
    )
    leg.voidedIfRefused = true
    leg.version = String(Number(leg.version) + 1)
    return payouts
  },
  'GET /console/pairs': () => pairs,
  'POST /console/pairs/{id}': ({ path, body, refuse }) => {
    const found = pairs.find((one) => String(one.id) === path.id) ?? refuse('1016')
    if (body.version !== found.version) refuse('5050')
    if (body.settings['payment_window'] === '4') {
      const problem = 'the payment window must be 5 to 120 minutes, as ads may choose'
      refuse('6007', { field: 'settings', problem })
    }
    for (const setting of found.settings) {
      const after = body.settings[setting.name]
      if (after === undefined) continue
      const before = setting.value
      record('set_pair', 'pair', path.id, { setting: setting.name, before, after }, body.reason)
      setting.value = after
    }
    found.version = String(Number(found.version) + 1)
    return found
  },
  'POST /console/pairs/{id}/reference': ({ path, body, refuse }) => {
    const found = pairs.find((one) => String(one.id) === path.id) ?? refuse('1016')
    record('set_reference', 'pair', path.id, { after: body.price }, body.reason)
    return Object.assign(found, { referencePrice: body.price, referenceSetBy: 'Ada' })
  },
  'GET /console/maintenance': () => maintenance,
  'POST /console/maintenance': ({ body }) => {
    record('plan_maintenance', 'platform', '', { from: body.from, until: body.until }, body.reason)
    return Object.assign(maintenance, {
      closings: [{ from: body.from, until: body.until }],
      version: String(nextNumber()),
    })
  },
  'POST /console/maintenance/end': ({ body }) => {
    record('end_maintenance', 'platform', '', {}, body.reason)
    return Object.assign(maintenance, { closed: false, closings: [], version: String(nextNumber()) })
  },
  'GET /console/officers': () => officers,
  'POST /console/officers': ({ body }) => {
    const made = officer(`officer-${nextNumber()}`, body.name, body.role, {
      email: body.email,
      enrolledAt: null,
      awaitsApproval: true,
      appointedBy: 'Ada',
      setupLink: 'ANOTHER_ADMINISTRATOR',
      seenAt: null,
    })
    officers.push(made)
    record('create_officer', 'officer', made.id, { name: made.name, role: made.role }, body.reason)
    return made
  },
  'POST /console/officers/{id}': ({ path, body, refuse }) => {
    const found = officers.find((one) => one.id === path.id) ?? refuse('1016')
    if (found.id === 'officer-1') refuse('6004')
    record('change_officer', 'officer', found.id, {}, body.reason)
    if (body.role) found.role = body.role
    if (body.disabled !== undefined && body.disabled !== null)
      found.disabledAt = body.disabled ? minutesFromNow(0) : null
    return found
  },
  'POST /console/officers/{id}/enrollment': ({ path, body, refuse }) => {
    const found = officers.find((one) => one.id === path.id) ?? refuse('1016')
    record('reset_officer', 'officer', found.id, {}, body.reason)
    return Object.assign(found, {
      awaitsApproval: true,
      appointedBy: 'Ada',
      setupLink: 'ANOTHER_ADMINISTRATOR',
      enrolledAt: null,
      linkExpiresAt: null,
    })
  },
  'POST /console/officers/{id}/link': ({ path, body, refuse }) => {
    const found = officers.find((one) => one.id === path.id) ?? refuse('1016')
    if (found.setupLink === 'ANOTHER_ADMINISTRATOR') refuse('6011')
    if (found.setupLink === 'NOT_NEEDED') refuse('6012')
    record(found.awaitsApproval ? 'approve_officer' : 'send_setup_link', 'officer', found.id, {}, body.reason)
    return Object.assign(found, {
      awaitsApproval: false,
      setupLink: 'SEND',
      linkExpiresAt: minutesFromNow(DAY),
    })
  },
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
