import type { UserInfo } from '@/api/types'

/** The lowest credit score with which one may post ads. */
export const MIN_REPUTATION = 60

/** What the user is about to do. */
export interface Intent {
  act: 'post' | 'order'
  /** Whether the user is paid, which is to say sells. */
  paid: boolean
  fiat: boolean
  /** The chain types on which a seller may be paid; empty if any will do. */
  chainTypes: readonly string[]
}

/** What is missing, in the order in which it is best done. */
export type Requirement =
  | 'identity'
  | 'advancedIdentity'
  | 'certified'
  | 'reputation'
  | 'hold'
  | 'nickname'
  | 'address'
  | 'chain'
  | 'security'

/**
 * What the server would refuse, known before the user fills anything in. The server decides again, also by facts that
 * the client does not have.
 */
export function missingRequirements(
  user: UserInfo,
  { act, paid, fiat, chainTypes }: Intent,
  now: number,
): readonly Requirement[] {
  const posting = act === 'post'
  const there: Record<Requirement, boolean> = {
    identity: user.kycLevel === 'none' || user.boundAddress === null,
    advancedIdentity: posting && fiat && user.kycLevel === 'basic',
    certified: posting && fiat && !user.certified,
    reputation: posting && user.reputation < MIN_REPUTATION,
    hold: user.holdUntil !== null && Date.parse(user.holdUntil) > now,
    nickname: user.nickname === null,
    address: user.receivingAddress === null,
    chain:
      paid &&
      !fiat &&
      chainTypes.length > 0 &&
      user.chainType !== null &&
      !chainTypes.includes(user.chainType),
    // Without it, sellers cannot release.
    security: paid && !user.hasSecurityPassword,
  }
  return ORDER.filter((one) => there[one])
}

const ORDER: readonly Requirement[] = [
  'identity',
  'advancedIdentity',
  'certified',
  'reputation',
  'hold',
  'nickname',
  'address',
  'chain',
  'security',
]
