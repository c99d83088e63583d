import type { components } from '../../src/api/schema'
import { DAY, minutesFromNow } from '../values.ts'

type Schemas = components['schemas']
type CaseParty = Schemas['CaseParty']

function recent(
  number: number,
  role: 'BUYER' | 'SELLER',
  state: Schemas['OrderState'],
  quantity: string,
  base: string,
  otherNickname: string,
  days: number,
): Schemas['CasePartyOrder'] {
  return {
    id: `0198d000-0000-7000-8000-00000000090${number}`,
    role,
    state,
    quantity,
    base,
    quote: 'USD',
    total: '100',
    otherId: `0198c2a4-0000-7000-8000-00000000010${number}`,
    otherNickname,
    createdAt: minutesFromNow(-days * DAY),
    appeal: state === 'CANCELLED' ? 'EXECUTED' : null,
  }
}

export function party(id: string, nickname: string, more: Partial<CaseParty> = {}): CaseParty {
  return {
    id,
    nickname,
    region: 'VN',
    kyc: 'advanced',
    certified: false,
    verified: false,
    online: true,
    reputation: 92,
    joinedAt: minutesFromNow(-400 * DAY),
    stats: {
      orders30d: 312,
      completionRate: '0.986',
      averageConfirmSeconds: 380,
      confirmations: 290,
      lateConfirmations: 4,
      acceptanceRate: '0.972',
    },
    appealsFiled: 2,
    recentAppeals: 1,
    appealsLost: 0,
    maliciousAppeals: 0,
    riskFlags: [],
    holdUntil: null,
    recentOrders: [
      recent(1, 'SELLER', 'COMPLETED', '250', 'MEC', 'weichen', 2),
      recent(2, 'SELLER', 'CANCELLED', '80', 'MEC', 'Thistle', 5),
      recent(3, 'BUYER', 'COMPLETED', '1200', 'USDT', 'Sofia88', 9),
    ],
    ...more,
  }
}
