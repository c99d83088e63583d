import { create } from 'zustand'
import { tab } from '@/lib/storage'
import { PROOF_LIFE_MS } from './proofLife'

interface Recovery {
  email: string
  /** Proves that this browser requested the code; empty before the first one. */
  emailCodeId: string
  /** When another code can be sent; null before the first one. */
  resendAt: string | null
  /** What the pass has proved; null until then. */
  ticket: string | null
  /** When the above was entered, in milliseconds since the epoch. */
  at: number
}

const EMPTY: Recovery = { email: '', emailCodeId: '', resendAt: null, ticket: null, at: 0 }

const NAME = 'MEC2C-recovery'

function restored(): Recovery {
  try {
    // Written by this version of this file. Anything else does not parse.
    const found: Recovery = Object.assign({}, EMPTY, JSON.parse(tab.get(NAME) ?? '{}'))
    return Date.now() - found.at < PROOF_LIFE_MS ? found : EMPTY
  } catch {
    return EMPTY
  }
}

/**
 * What a user who forgot the password has entered. It survives a reload: a phone often unloads the page while its user reads
 * the code in the mail app or approves in the pass.
 */
export const useRecovery = create<Recovery>(restored)

useRecovery.subscribe((entered) => tab.set(NAME, JSON.stringify(entered)))

export function updateRecovery(changed: Partial<Omit<Recovery, 'at'>>): void {
  useRecovery.setState({ ...changed, at: Date.now() })
}

export function forgetRecovery(): void {
  useRecovery.setState(EMPTY)
  tab.remove(NAME)
}
