import type { Handlers } from '../operation.ts'
import * as adverts from './adverts.ts'
import * as audit from './audit.ts'
import * as certifications from './certifications.ts'
import * as dashboard from './dashboard.ts'
import * as maintenance from './maintenance.ts'
import * as officers from './officers.ts'
import * as pairs from './pairs.ts'
import * as payouts from './payouts.ts'
import * as users from './users.ts'

export const handlers: Handlers = {
  ...officers.handlers,
  ...dashboard.handlers,
  ...users.handlers,
  ...certifications.handlers,
  ...adverts.handlers,
  ...payouts.handlers,
  ...pairs.handlers,
  ...maintenance.handlers,
  ...audit.handlers,
}
