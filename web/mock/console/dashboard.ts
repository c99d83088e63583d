import type { components } from '../../src/api/schema'
import type { Handlers } from '../operation.ts'
import { minutesFromNow } from '../values.ts'

import { payouts } from './payouts.ts'

type Schemas = components['schemas']

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

export const handlers: Handlers = {
  'GET /console/dashboard': dashboard,
}
