import type { components } from '../../src/api/schema'
import type { Handlers } from '../operation.ts'
import { ADDRESS, DAY, HASH, minutesFromNow } from '../values.ts'
import { record } from './audit.ts'
import { users } from './users.ts'

type Schemas = components['schemas']

/** The encoded call `voidReference(uint64)`. */
const voidData = (reference: number) => `0xa42826cc${reference.toString(16).padStart(64, '0')}`

export const payouts: Schemas['ConsolePayouts'] = {
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

export const handlers: Handlers = {
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
}
