import type { ReputationChange, UserInfo } from '../src/api/types.ts'
import { type Handlers, page } from './operation.ts'
import { ADDRESS, DAY, minutesFromNow } from './values.ts'

export const user: UserInfo = {
  id: 'u-me',
  email: 'maria@example.com',
  nickname: 'Maria7',
  nicknameChangeableAt: minutesFromNow(3 * DAY),
  nicknameUnderReview: false,
  nicknameRefusal: null,
  publicNickname: 'Maria7',
  remark: null,
  automaticReply: null,
  receivingAddress: ADDRESS.receiving,
  chainType: 'ERC20',
  boundAddress: ADDRESS.bound,
  custodyAddress: ADDRESS.custody,
  reputation: 80,
  regionId: 'eu',
  countryCode: 'ES',
  kycLevel: 'advanced',
  certified: true,
  verified: false,
  fast: true,
  stats: {
    orders30d: 46,
    completionRate: '0.978',
    averageConfirmSeconds: 412,
    confirmations: 31,
    lateConfirmations: 2,
    acceptanceRate: '0.945',
  },
  volume30d: [
    { asset: 'MEC', amount: '4820.5' },
    { asset: 'USDT', amount: '912.25' },
  ],
  temporaryBalance: [
    { asset: 'MEC', amount: '12.5' },
    { asset: 'USDT', amount: '21.5' },
  ],
  online: true,
  offlineCause: null,
  hasSecurityPassword: true,
  holdUntil: null,
  serverTime: minutesFromNow(0),
}

/** The start of the month after the current one. */
const nextMonth = (() => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString()
})()

const none = { orderId: null, appealId: null, restoredAt: null }

const changes: ReputationChange[] = [
  {
    ...none,
    change: -20,
    reputation: 80,
    cause: 'PAYMENT_OVERDUE',
    orderId: 'o-cancelled',
    at: minutesFromNow(-90),
    restoredAt: nextMonth,
  },
  {
    ...none,
    change: 0,
    reputation: 100,
    cause: 'CANCELLED',
    orderId: 'o-cancelled',
    at: minutesFromNow(-200),
  },
  { ...none, change: 20, reputation: 100, cause: 'MONTHLY_RESTORATION', at: minutesFromNow(-25 * DAY) },
  {
    ...none,
    change: -20,
    reputation: 80,
    cause: 'APPEAL_LOST',
    orderId: 'o-decided',
    appealId: 'ap-1',
    at: minutesFromNow(-40 * DAY),
    restoredAt: minutesFromNow(-25 * DAY),
  },
]

export const handlers: Handlers = {
  'GET /user/info/{id}': () => ({ ...user, serverTime: minutesFromNow(0) }),
  'GET /common/credit/setting': () => [
    { deduct: 10, freePerDay: 3, appealDeduct: 20, neededToPost: 60, full: 100 },
  ],
  'GET /credit/detail/page': ({ query }) => page(changes, query),
  'GET /user/hasSecurityCode': () => ({ has: user.hasSecurityPassword }),
  'POST /user/updateInfo': ({ body, refuse }) => {
    if (body.emailCode === '000000') return refuse('1013', { field: 'emailCode' })
    if (body.nickname) user.nickname = body.nickname
    if (body.receivingAddress) {
      user.receivingAddress = body.receivingAddress
      user.chainType = body.chainType ?? null
      user.holdUntil = minutesFromNow(DAY)
    }
    if (body.automaticReply !== undefined) user.automaticReply = body.automaticReply || null
    if (body.newSecurityCode) user.hasSecurityPassword = true
    return user
  },
  'GET /c2c/advert/online': () => ({ online: user.online }),
  'POST /c2c/advert/online': ({ query }) => {
    user.online = query.online === 'true'
    user.offlineCause = null
    return { online: user.online }
  },
}
