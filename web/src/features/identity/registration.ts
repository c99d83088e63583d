import { create } from 'zustand'
import type { PassResult } from '@/api/types'
import type { ReceivingAddress } from '@/components/ReceivingAddressFields'
import { tab } from '@/lib/storage'
import { PROOF_LIFE_MS } from './proofLife'

interface Registration {
  /** The pass result of an unregistered user. */
  result: PassResult | null
  /** When the pass result was received, in milliseconds since the epoch. */
  provenAt: number
  email: string
  emailCode: string
  /** Proves that this browser requested the code. */
  emailCodeId: string
  /** When another code can be sent; null before the first one. */
  resendAt: string | null
  at: 'account' | 'address'
  receiving: ReceivingAddress
  accepted: boolean
}

const EMPTY: Registration = {
  result: null,
  provenAt: 0,
  email: '',
  emailCode: '',
  emailCodeId: '',
  resendAt: null,
  at: 'account',
  receiving: { chainType: '', address: '' },
  accepted: false,
}

const NAME = 'MEC2C-registration'

function restored(): Registration {
  try {
    // Written by this version of this file. Anything else does not parse, or lacks the result.
    const found: Registration = Object.assign({}, EMPTY, JSON.parse(tab.get(NAME) ?? '{}'))
    return Date.now() - found.provenAt < PROOF_LIFE_MS ? found : { ...found, result: null }
  } catch {
    return EMPTY
  }
}

/**
 * What a user has entered to register, except for passwords. It survives a reload: a phone often unloads the page while its
 * user reads the code in the mail app.
 */
export const useRegistration = create<Registration>(restored)

// A reload forgets the password, so it leads back to the step that asks for it.
useRegistration.subscribe((entered) => tab.set(NAME, JSON.stringify({ ...entered, at: EMPTY.at })))

/** Begins a registration with a pass result. */
export function beginRegistration(result: PassResult): void {
  useRegistration.setState({ result, provenAt: Date.now() })
}

/** Asks for another pass result, because the server no longer accepts this one. */
export function requireProof(): void {
  useRegistration.setState({ result: null, at: EMPTY.at })
}

export function forgetRegistration(): void {
  useRegistration.setState(EMPTY)
  tab.remove(NAME)
}
