import type { UserInfo } from '@/api/types'

/** The lowest credit score with which a user may post ads. */
export const MIN_REPUTATION = 60

/** The action that the user is about to take. */
export interface Intent {
  act: 'post' | 'order'
  /** Whether the user is the seller, and so is paid. */
  paid: boolean
  fiat: boolean
  /** The chain types on which a seller may be paid; empty if all are allowed. */
  chainTypes: readonly string[]
}

/** A missing requirement, in the order in which users should fulfill them. */
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
 * Returns the reasons why the server would refuse, so that the user sees them before filling in a form. The server
 * checks again, with facts that the client does not have.
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
    // Without a security password, sellers cannot release.
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
