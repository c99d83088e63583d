import type { components } from '../../src/api/schema'
import { picture, receipt } from '../files.ts'
import { bankCard } from '../paymentMethods.ts'
import { ADDRESS, DAY, HASH, HOUR, minutesFromNow } from '../values.ts'
import { historyOf, NOTE, noteOf, optionsOf, readableUntil } from './decisions.ts'
import { BEN } from './officers.ts'
import { party } from './parties.ts'
import { CHATSHOT, statement } from './pictures.ts'
import { caseId, type QueueRow, rows } from './queue.ts'

export type Case = components['schemas']['ConsoleCase']

/** Case 1 has an overdue request and an answered one. */
function requestsOf(summary: QueueRow): Case['requests'] {
  if (summary.id !== caseId(1)) return []
  const asked = { officer: BEN.name, closedAt: null }
  return [
    {
      ...asked,
      id: 1,
      party: 'SELLER',
      kind: 'BANK_STATEMENT',
      details: null,
      askedAt: minutesFromNow(-26 * HOUR - 5),
      dueAt: minutesFromNow(-2 * HOUR),
      answeredAt: minutesFromNow(-26 * HOUR),
    },
    {
      ...asked,
      id: 2,
      party: 'BUYER',
      kind: 'ACCOUNT_HOLDER',
      details: 'Of the account that the transfer came from.',
      askedAt: minutesFromNow(-13 * HOUR),
      dueAt: summary.evidenceDueAt ?? minutesFromNow(-HOUR),
      answeredAt: null,
    },
  ]
}

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
      quoteMoney: null,
      payTo: bankCard,
      payerName: 'Kaya Demir',
      payToAddress: null,
      payment: {
        methodId: 'm-1',
        at: minutesFromNow(-28 * HOUR),
        reference: 'TX 48.35 / 0091',
        hash: null,
        receipts: [{ ...receipt(`f-${summary.id}-receipt`), usedBefore: summary.id === caseId(1) }],
        hashRepeated: false,
        referenceRepeated: summary.id === caseId(1),
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
      evidenceRequests: [],
    },
    history: historyOf(summary),
    notes: summary.id === caseId(1) ? [noteOf(BEN, 'Called the bank: they answer tomorrow.', -90)] : [],
    requests: requestsOf(summary),
    parties: {
      buyer: party('0198c2a4-0000-7000-8000-000000000009', 'kaya_d', {
        region: 'TR',
        kyc: 'basic',
        reputation: summary.id === caseId(1) ? 52 : 88,
        joinedAt: minutesFromNow(-11 * DAY),
        stats: {
          orders30d: 4,
          completionRate: '0.5',
          averageConfirmSeconds: null,
          confirmations: 0,
          lateConfirmations: 0,
          acceptanceRate: null,
        },
        appealsFiled: 1,
        appealsLost: 1,
        riskFlags: summary.id === caseId(1) ? ['WITHDRAWAL'] : [],
        recentOrders: [],
      }),
      seller: party('0198c2a4-0000-7000-8000-000000000001', 'MinhTrader', {
        certified: true,
        verified: true,
      }),
    },
    transactions: [
      {
        kind: 'DEPOSIT',
        party: 'SELLER',
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
    readableUntil: readableUntil(summary),
    serverTime: minutesFromNow(0),
  }
}

export const cases = new Map(rows.map((one) => [one.id, caseOf(one)]))
