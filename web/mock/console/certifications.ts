import type { components } from '../../src/api/schema'
import type { Handlers } from '../operation.ts'
import { minutesFromNow } from '../values.ts'
import { record } from './audit.ts'
import { users } from './users.ts'

type Schemas = components['schemas']

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

export const handlers: Handlers = {
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
}
