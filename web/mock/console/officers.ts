import type { components } from '../../src/api/schema'
import { type Handlers, nextNumber } from '../operation.ts'
import { DAY, minutesFromNow } from '../values.ts'
import { record } from './audit.ts'

type Schemas = components['schemas']

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
}
