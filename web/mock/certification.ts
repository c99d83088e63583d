import type { Certification } from '../src/api/types.ts'
import type { Handlers } from './operation.ts'
import { minutesFromNow } from './values.ts'

/** The certification of the mock's user, who is certified. Tests override it. */
export const certification: Certification = {
  certified: true,
  checks: [
    { requirement: 'ADVANCED_VERIFICATION', met: true, has: null, needed: null },
    { requirement: 'SECURITY_PASSWORD', met: true, has: null, needed: null },
    { requirement: 'PAYMENT_METHOD', met: true, has: null, needed: null },
    { requirement: 'ACCOUNT_AGE', met: true, has: 212, needed: 7 },
    { requirement: 'COMPLETED_ORDERS', met: true, has: 46, needed: 10 },
    { requirement: 'COMPLETION_RATE', met: true, has: 97, needed: 90 },
    { requirement: 'REPUTATION', met: true, has: 80, needed: 80 },
    { requirement: 'NO_RESTRICTION', met: true, has: null, needed: null },
  ],
  application: null,
  applyFrom: null,
  mayApply: false,
}

export const handlers: Handlers = {
  'GET /user/certification': () => certification,
  'POST /user/certification': () =>
    Object.assign(certification, {
      application: { status: 'PENDING', appliedAt: minutesFromNow(0), decidedAt: null, reason: null },
      mayApply: false,
    }),
}
