import type { Trader, UserInfo } from '../src/api/types.ts'
import type { Handlers } from './operation.ts'
import { ADDRESS, minutesFromNow } from './values.ts'

function person(
  id: string,
  nickname: string,
  countryCode: string,
  marks: string,
  orders30d: number,
  rate: string,
): Trader {
  return {
    id,
    nickname,
    countryCode,
    certified: marks.includes('c'),
    verified: marks.includes('v'),
    fast: marks.includes('f'),
    stats: {
      orders30d,
      completionRate: rate,
      averageConfirmSeconds: marks.includes('f') ? 340 : 2100,
      confirmations: orders30d,
      lateConfirmations: marks.includes('f') ? 0 : 3,
      acceptanceRate: marks.includes('f') ? '1' : '0.914',
    },
  }
}

const people: Trader[] = [
  person('u-1', 'MinhTrader', 'VN', 'cvf', 312, '0.986'),
  person('u-2', 'Sofia88', 'ES', 'cf', 1204, '0.997'),
  person('u-3', 'kaya', 'TR', 'cv', 87, '0.954'),
  person('u-4', 'BangkokDesk', 'TH', 'c', 45, '0.933'),
  person('u-5', 'LisbonOTC', 'PT', 'cf', 540, '0.991'),
  person('u-6', 'weichen', 'CN', 'v', 12, '1'),
]
export const traderAt = (index: number): Trader =>
  people[index % people.length] ?? person('u-0', 'Nobody', 'US', '', 0, '0')

export const user: UserInfo = {
  id: 'u-me',
  email: 'maria@example.com',
  nickname: 'Maria7',
  nicknameChangeableAt: minutesFromNow(3 * 1440),
  nicknameUnderReview: false,
  nicknameRefusal: null,
  publicNickname: 'Maria7',
  remark: null,
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
  volume30d: [],
  online: true,
  offlineCause: null,
  hasSecurityPassword: true,
  holdUntil: null,
  serverTime: minutesFromNow(0),
}

export const handlers: Handlers = {
  'GET /user/info/{id}': () => ({ ...user, serverTime: minutesFromNow(0) }),
  'GET /common/credit/setting': () => [{ deduct: 10, freePerDay: 3, neededToPost: 60, full: 100 }],
  'GET /user/hasSecurityCode': () => ({ has: user.hasSecurityPassword }),
  'POST /user/updateInfo': ({ body }) => {
    if (body.nickname) user.nickname = body.nickname
    if (body.receivingAddress) {
      user.receivingAddress = body.receivingAddress
      user.chainType = body.chainType ?? null
      user.holdUntil = minutesFromNow(1440)
    }
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
