import type { UserInfo } from '@/api/types'

/** The least credit that an ad needs. */
export const LEAST_CREDIT = 60

/** What somebody is about to do. */
export interface Wanted {
  act: 'post' | 'order'
  /** Whether they are the one who is paid: who sells. */
  paid: boolean
  fiat: boolean
  /** The chains on which a seller may be paid; empty when any will do. */
  chainTypes: readonly string[]
}

/** What stands in the way, in the order in which it is best done. */
export type Blocker =
  | 'identity'
  | 'advancedIdentity'
  | 'certified'
  | 'credit'
  | 'hold'
  | 'nickname'
  | 'address'
  | 'chain'
  | 'security'

/**
 * What the server would refuse, known before anything is filled in. It decides again, by the same rules and by some
 * that nobody else may know.
 */
export function blockersOf(
  user: UserInfo,
  { act, paid, fiat, chainTypes }: Wanted,
  now: number,
): readonly Blocker[] {
  const posting = act === 'post'
  const there: Record<Blocker, boolean> = {
    identity: user.kycLevel === 'none' || user.boundAddress === null,
    advancedIdentity: posting && fiat && user.kycLevel === 'basic',
    certified: posting && fiat && !user.certified,
    credit: posting && user.creditScore < LEAST_CREDIT,
    hold: user.holdUntil !== null && Date.parse(user.holdUntil) > now,
    nickname: user.nickname === null,
    address: user.receivingAddress === null,
    chain:
      paid &&
      !fiat &&
      chainTypes.length > 0 &&
      user.chainType !== null &&
      !chainTypes.includes(user.chainType),
    // Without one a seller could release nothing.
    security: paid && !user.hasSecurityPassword,
  }
  return ORDER.filter((one) => there[one])
}

const ORDER: readonly Blocker[] = [
  'identity',
  'advancedIdentity',
  'certified',
  'credit',
  'hold',
  'nickname',
  'address',
  'chain',
  'security',
]
