import { useEffect, useState } from 'react'
import { ownTab } from '@/session/own'
import { PROOF_LIFE_MS } from './proofLife'

/** What a user has entered to change what protects the account. It contains neither passwords nor codes. */
interface Entered {
  /** The new email address. */
  email: string
  /** When another code can be sent; null before the first one. */
  resendAt: string | null
  /** What the pass has proved; null until then. */
  ticket: string | null
  /** When the above was entered, in milliseconds since the epoch. */
  at: number
}

const EMPTY: Entered = { email: '', resendAt: null, ticket: null, at: 0 }

function restored(name: string): Entered {
  try {
    // Written by this version of this file. Anything else does not parse.
    const found: Entered = Object.assign({}, EMPTY, JSON.parse(ownTab.get(name) ?? '{}'))
    return Date.now() - found.at < PROOF_LIFE_MS ? found : EMPTY
  } catch {
    return EMPTY
  }
}

/**
 * Returns what a user has entered in a form, a function that changes it, and one that forgets it. It survives a reload: a phone
 * often unloads the page while its user reads the code in the mail app or approves in the pass.
 */
export function useEntered(
  form: 'email' | 'securityPassword' | 'bind' | 'unbind',
): [Entered, (changed: Partial<Omit<Entered, 'at'>>) => void, () => void] {
  const name = `change ${form}`
  const [entered, setEntered] = useState(() => restored(name))
  useEffect(() => {
    if (entered === EMPTY) ownTab.remove(name)
    else ownTab.set(name, JSON.stringify(entered))
  }, [name, entered])
  return [
    entered,
    (changed) => {
      const at = Date.now()
      setEntered((before) => ({ ...before, ...changed, at }))
    },
    // At once, because the page may be left before an effect runs.
    () => {
      ownTab.remove(name)
      setEntered(EMPTY)
    },
  ]
}
