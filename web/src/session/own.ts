import { local } from '@/lib/storage'
import { useSession } from './session'

/** Begins the name of each queue of messages that wait to be sent. The ID of its order follows. */
export const OUTBOX = 'outbox '

const prefixOf = (userId: string) => `own ${userId} `

function prefix(): string | null {
  const { userId } = useSession.getState()
  return userId === null || userId === '' ? null : prefixOf(userId)
}

/**
 * What the user of this session has written and not sent. No other user of the browser sees it. If the session ends on its
 * own, it is kept until the user logs in again; logging out removes it. Without a session, nothing is stored.
 */
export const own = {
  get(name: string): string | null {
    const start = prefix()
    return start === null ? null : local.get(start + name)
  },
  set(name: string, value: string): void {
    const start = prefix()
    if (start !== null) local.set(start + name, value)
  },
  remove(name: string): void {
    const start = prefix()
    if (start !== null) local.remove(start + name)
  },
  /** Returns what follows `kind` in the names that begin with it. */
  namesOf(kind: string): string[] {
    const start = prefix()
    return start === null ? [] : local.keys(start + kind).map((key) => key.slice((start + kind).length))
  },
}

/** Removes what a user has written and not sent. */
export function removeOwn(userId: string): void {
  for (const key of local.keys(prefixOf(userId))) local.remove(key)
}

// Earlier versions stored messages without their user, so it is unknown who may see them.
for (const key of local.keys('talk_')) local.remove(key)
