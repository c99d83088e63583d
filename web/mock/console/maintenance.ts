import type { components } from '../../src/api/schema'
import { type Handlers, nextNumber } from '../operation.ts'
import { record } from './audit.ts'

type Schemas = components['schemas']

const maintenance: Schemas['ConsoleMaintenance'] = { closed: false, closings: [], version: '0' }

export const handlers: Handlers = {
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
}
