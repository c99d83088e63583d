import type { components } from '../src/api/schema'
import type { UploadedFile } from '../src/api/types.ts'
import { picture, receipt } from './files.ts'
import { type Handlers, nextNumber, page } from './operation.ts'
import { bankCard } from './paymentMethods.ts'
import { ADDRESS, HASH, minutesFromNow } from './values.ts'

type Schemas = components['schemas']
type Case = Schemas['OpsCase']
type CaseEntry = Schemas['OpsTalkEntry']
type CaseParty = Schemas['CaseParty']
type QueueRow = Schemas['OpsAppeal']
type Ruling = Schemas['AppealRuling']

const HOUR = 60
const DAY = 24 * HOUR
/** The officer of the session, in the tests about appeals. */
const OLGA = { id: 'officer-2', name: 'Olga' }
const BEN = { id: 'officer-5', name: 'Ben' }
const MINA = { id: 'officer-6', name: 'Mina' }

const STATEMENT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 480" width="720" height="960">
<rect width="360" height="480" fill="#f8fafc"/><rect width="360" height="70" fill="#0f766e"/>
<text x="20" y="44" font-family="sans-serif" font-size="22" fill="#fff">Account statement</text>
${[0, 1, 2, 3, 4, 5]
  .map(
    (
      row,
    ) => `<text x="20" y="${120 + row * 54}" font-family="sans-serif" font-size="15" fill="#334155">Nov ${22 - row}</text>
<text x="340" y="${120 + row * 54}" text-anchor="end" font-family="sans-serif" font-size="15" fill="#0f172a">${['– 12.00', '– 4.10', '+ 310.00', '– 58.20', '– 9.99', '+ 27.50'][row]}</text>
<rect x="20" y="${136 + row * 54}" width="320" height="1" fill="#e2e8f0"/>`,
  )
  .join('')}</svg>`

const CHATSHOT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 320" width="480" height="640">
<rect width="240" height="320" fill="#111827"/><rect x="16" y="30" width="150" height="44" rx="14" fill="#374151"/>
<text x="28" y="57" font-family="sans-serif" font-size="13" fill="#fff">Sent from my wife</text>
<rect x="74" y="92" width="150" height="44" rx="14" fill="#047857"/>
<text x="86" y="119" font-family="sans-serif" font-size="13" fill="#fff">Whose account?</text></svg>`

function statement(id: string): UploadedFile {
  return picture(id, STATEMENT, 720, 960)
}

function recent(
  number: number,
  role: 'BUYER' | 'SELLER',
  state: Schemas['OrderState'],
  quantity: string,
  base: string,
  otherNickname: string,
  days: number,
): Schemas['CasePartyOrder'] {
  return {
    id: `0198d000-0000-7000-8000-00000000090${number}`,
    role,
    state,
    quantity,
    base,
    quote: 'USD',
    total: '100',
    otherId: `0198c2a4-0000-7000-8000-00000000010${number}`,
    otherNickname,
    createdAt: minutesFromNow(-days * DAY),
    appeal: state === 'CANCELLED' ? 'EXECUTED' : null,
  }
}

function party(id: string, nickname: string, more: Partial<CaseParty> = {}): CaseParty {
  return {
    id,
    nickname,
    names: [],
    region: 'VN',
    kyc: 'advanced',
    certified: false,
    verified: false,
    online: true,
    reputation: 92,
    joinedAt: minutesFromNow(-400 * DAY),
    stats: { orders30d: 312, completionRate: '0.986', averageConfirmSeconds: 380 },
    appealsFiled: 2,
    recentAppeals: 1,
    appealsLost: 0,
    maliciousAppeals: 0,
    riskFlags: [],
    holdUntil: null,
    recentOrders: [
      recent(1, 'SELLER', 'COMPLETED', '250', 'MEC', 'weichen', 2),
      recent(2, 'SELLER', 'CANCELLED', '80', 'MEC', 'Thistle', 5),
      recent(3, 'BUYER', 'COMPLETED', '1200', 'USDT', 'Sofia88', 9),
    ],
    ...more,
  }
}

function row(id: string, more: Partial<QueueRow> = {}): QueueRow {
  return {
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
    joined: false,
    proposal: null,
    requires: 'CUSTOMER_SERVICE',
    executesAt: null,
    endedAt: null,
    ...more,
  }
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

const rows: QueueRow[] = [
  row(caseId(1), {
    signals: ['RECEIPT_USED_BEFORE', 'NEW_ACCOUNT'],
    risk: 7,
    officers: [OLGA],
    joined: true,
  }),
  row(caseId(2), {
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
  ...[9, 10, 12].map((number) =>
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

/** What each decision would do now, and which the officer may not make. */
function optionsOf(summary: QueueRow): Case['allowed'] {
  const ended = summary.endedAt !== null
  const decided = summary.status === 'DECIDED'
  const fee = Number(summary.amount) / 1000
  const moves = {
    BUYER: [
      {
        asset: summary.coin,
        amount: String(Number(summary.amount) - fee),
        to: ADDRESS.buyer,
        party: 'BUYER' as const,
      },
    ],
    SELLER: [{ asset: summary.coin, amount: summary.amount, to: ADDRESS.bound, party: 'SELLER' as const }],
  }
  const rulings: Ruling[] = ['BUYER', 'SELLER', 'REJECT', 'REOPEN']
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
      moves: verdict ? moves[ruling] : [],
    }
  })
}

const NOTE = 'The buyer did not show any payment.'

function caseOf(summary: QueueRow): Case {
  const large = summary.id === caseId(2)
  const decided = summary.status === 'DECIDED' || summary.status === 'EXECUTED'
  const fee = String(Number(summary.amount) / 1000)
  const filedBy = summary.filedBy === 'PLATFORM' ? null : summary.filedBy
  return {
    summary,
    order: {
      id: summary.orderId,
      advertId: 'ad-1',
      state: summary.orderState,
      overlay: 'UNDER_APPEAL',
      advertiser: 'SELLER',
      kind: 'MANUAL',
      base: summary.base,
      quote: summary.quote,
      quantity: summary.amount,
      price: large ? '0.92' : '0.4835',
      total: large ? '23000' : String(Math.round(Number(summary.amount) * 48.35) / 100),
      fee,
      feeAsset: summary.base,
      receives: String(Number(summary.amount) - Number(fee)),
      buyerAddress: ADDRESS.buyer,
      sellerAddress: ADDRESS.bound,
      createdAt: minutesFromNow(-30 * HOUR),
      deadline: null,
      overdue: false,
      covered: false,
      waitsFor: 'SELLER',
      steps: [],
      money: summary.endedAt === null ? 'ESCROW' : 'RETURNED',
      payTo: bankCard,
      payToAddress: null,
      payment: {
        methodId: 'm-1',
        at: minutesFromNow(-28 * HOUR),
        reference: 'TX 48.35 / 0091',
        hash: null,
        receipts: [{ ...receipt(`f-${summary.id}-receipt`), usedBefore: summary.id === caseId(1) }],
      },
      paymentSeen: null,
      cancelAskedBy: null,
      endReason: summary.endedAt === null ? null : 'DECIDED',
    },
    appeal: {
      id: summary.id,
      number: 1,
      filedBy,
      reason: summary.reason,
      specificReason:
        'Nothing has arrived in my account since the order was marked as paid. The reference on the receipt belongs to an older transfer, and the buyer stopped answering.',
      filedAt: summary.filedAt,
      status: summary.status,
      winner: decided ? 'SELLER' : null,
      initiatorWins: decided ? filedBy === 'SELLER' : null,
      outcome: decided ? 'CANCEL' : null,
      reviewNote: decided ? NOTE : null,
      malicious: false,
      executesAt: summary.executesAt,
      endedAt: summary.endedAt,
      withdrawnBy: null,
      evidence: [
        { by: 'BUYER', at: minutesFromNow(-25 * HOUR), file: receipt(`f-${summary.id}-b1`) },
        {
          by: 'BUYER',
          at: minutesFromNow(-25 * HOUR),
          file: picture(`f-${summary.id}-b2`, CHATSHOT, 480, 640),
        },
        { by: 'SELLER', at: minutesFromNow(-26 * HOUR), file: statement(`f-${summary.id}-s1`) },
        {
          by: 'SELLER',
          at: minutesFromNow(-26 * HOUR),
          file: {
            ...statement(`f-${summary.id}-s2`),
            kind: 'VIDEO',
            mediaType: 'video/mp4',
            width: null,
            height: null,
            duration: 21_000,
            url: 'data:video/mp4;base64,AAAA',
          },
        },
      ],
    },
    history: historyOf(summary),
    parties: {
      buyer: party('0198c2a4-0000-7000-8000-000000000009', 'kaya_d', {
        names: ['Kaya Demir'],
        region: 'TR',
        kyc: 'basic',
        reputation: summary.id === caseId(1) ? 52 : 88,
        joinedAt: minutesFromNow(-11 * DAY),
        stats: { orders30d: 4, completionRate: '0.5', averageConfirmSeconds: null },
        appealsFiled: 1,
        appealsLost: 1,
        riskFlags: summary.id === caseId(1) ? ['WITHDRAWAL'] : [],
        recentOrders: [],
      }),
      seller: party('0198c2a4-0000-7000-8000-000000000001', 'MinhTrader', {
        names: ['Maria Gonzalez'],
        certified: true,
        verified: true,
      }),
    },
    transactions: [
      {
        kind: 'DEPOSIT',
        state: 'FINAL',
        hash: HASH,
        amount: summary.amount,
        asset: summary.base,
        at: minutesFromNow(-29 * HOUR),
        from: ADDRESS.receiving,
        to: ADDRESS.custody,
        block: 81_190,
        confirmations: { seen: 40, needed: 12 },
      },
    ],
    timeline: [],
    allowed: optionsOf(summary),
    verdictDelaySeconds: 86_400,
    version: '5',
    serverTime: minutesFromNow(0),
  }
}

function act(
  kind: Schemas['AppealActKind'],
  winner: 'BUYER' | 'SELLER' | null,
  by: { id: string; name: string },
  note: string,
  minutes: number,
  malicious = false,
): Schemas['AppealAct'] {
  return { kind, winner, malicious, note, officer: by.name, officerId: by.id, at: minutesFromNow(minutes) }
}

function historyOf({ proposal, status }: QueueRow): Case['history'] {
  if (proposal !== null)
    return [
      act('PROPOSAL', 'BUYER', BEN, 'The bank confirms the transfer from the buyer’s own account.', -HOUR),
    ]
  return status === 'DECIDED' || status === 'EXECUTED'
    ? [act('VERDICT', 'SELLER', OLGA, NOTE, -3 * HOUR)]
    : []
}

const cases = new Map(rows.map((one) => [one.id, caseOf(one)]))

function entry(number: number, minutes: number, more: Partial<CaseEntry>): CaseEntry {
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

const logs = new Map(rows.map((one) => [one.id, logOf()]))
const RISKS = new Map(rows.map((one) => [one.id, one.risk]))
const SORTS: Record<string, (row: QueueRow) => number> = {
  AGE: (one) => Date.parse(one.filedAt),
  AMOUNT: (one) => -Number(one.value?.amount ?? 'Infinity'),
  RISK: (one) => -(RISKS.get(one.id) ?? 0),
}
const ENDED = new Set(['WITHDRAWN', 'REJECTED', 'EXECUTED'])

function inView(one: QueueRow, view: string): boolean {
  if (view === 'MINE') return one.joined && !ENDED.has(one.status)
  if (view === 'ENDED') return ENDED.has(one.status)
  return one.status === (view === 'DECIDED' ? 'DECIDED' : 'PENDING')
}

/** Returns a case, if the officer is on it. */
function joined(id: string, refuse: (code: '5001' | '6008') => never): Case {
  const found = cases.get(id) ?? refuse('5001')
  return found.summary.joined ? found : refuse('6008')
}

export const handlers: Handlers = {
  'GET /ops/appeals': ({ query }) => {
    const sort = SORTS[query.order ?? 'AGE'] ?? (() => 0)
    const found = rows.filter((one) => inView(one, query.view ?? 'OPEN'))
    return page(
      found.toSorted((a, b) => sort(a) - sort(b)),
      query,
    )
  },
  'GET /ops/appeals/{id}': ({ path, refuse }) => joined(path.id, refuse),
  'POST /ops/appeals/{id}/join': ({ path, refuse }) => {
    const found = cases.get(path.id) ?? refuse('5001')
    const { summary } = found
    if (!summary.joined) {
      summary.officers = [...summary.officers, OLGA]
      summary.joined = true
    }
    return found
  },
  'POST /ops/appeals/{id}/leave': ({ path, refuse }) => {
    const { summary } = joined(path.id, refuse)
    summary.officers = summary.officers.filter((one) => one.id !== OLGA.id)
    summary.joined = false
    return summary
  },
  'GET /ops/appeals/{id}/talk': ({ path, query, refuse }) => {
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
  'POST /ops/appeals/{id}/talk': ({ path, body, refuse }) => {
    joined(path.id, refuse)
    const entries = logs.get(path.id) ?? []
    const said = entry(entries.length + 1, 0, { kind: 'OFFICER', officer: OLGA.name, text: body.text })
    entries.push(said)
    return said
  },
  'POST /ops/appeals/{id}/decision': ({ path, body, refuse }) => {
    const found = joined(path.id, refuse)
    const { summary, appeal, history } = found
    const { ruling, note, malicious = false } = body
    if (body.version !== found.version) refuse('5050')
    found.version = String(nextNumber() + 100)
    if (ruling === 'BUYER' || ruling === 'SELLER') {
      const { proposal } = summary
      if (
        summary.requires === 'TWO_OFFICERS' &&
        !(proposal?.officerId === BEN.id && proposal.ruling === ruling)
      ) {
        const at = minutesFromNow(0)
        summary.proposal = { officer: OLGA.name, officerId: OLGA.id, ruling, malicious, at }
        history.push(act('PROPOSAL', ruling, OLGA, note, 0, malicious))
        return { status: 'PROPOSED', case: found }
      }
      const outcome = ruling === 'BUYER' ? 'RELEASE' : 'CANCEL'
      Object.assign(summary, { proposal: null, status: 'DECIDED', executesAt: minutesFromNow(DAY) })
      Object.assign(appeal, { status: 'DECIDED', winner: ruling, outcome, reviewNote: note })
      history.push(act('VERDICT', ruling, OLGA, note, 0, malicious))
    } else if (ruling === 'REOPEN') {
      Object.assign(summary, { status: 'PENDING', executesAt: null })
      Object.assign(appeal, { status: 'PENDING', winner: null, outcome: null, reviewNote: null })
      history.push(act('REOPENING', null, OLGA, note, 0))
    } else {
      Object.assign(summary, { status: 'REJECTED', endedAt: minutesFromNow(0) })
      history.push(act('REJECTION', null, OLGA, note, 0, malicious))
    }
    found.allowed = optionsOf(summary)
    return { status: 'DONE', case: found }
  },
}
