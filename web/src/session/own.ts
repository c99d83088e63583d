import { local, tab } from '@/lib/storage'
import { useSession } from './session'

/** Begins the name of each queue of messages that wait to be sent. The ID of its order follows. */
export const OUTBOX = 'outbox '

const prefixOf = (userId: string) => `own ${userId} `

function prefix(): string | null {
  const { userId } = useSession.getState()
  return userId === null || userId === '' ? null : prefixOf(userId)
}

/** A storage in which no other user of the browser sees what the user of this session keeps. Without a session, it stores nothing. */
function ownIn(storage: typeof local) {
  return {
    get(name: string): string | null {
      const start = prefix()
      return start === null ? null : storage.get(start + name)
    },
    set(name: string, value: string): void {
      const start = prefix()
      if (start !== null) storage.set(start + name, value)
    },
    remove(name: string): void {
      const start = prefix()
      if (start !== null) storage.remove(start + name)
    },
    /** Returns what follows `kind` in the names that begin with it. */
    namesOf(kind: string): string[] {
      const start = prefix()
      return start === null ? [] : storage.keys(start + kind).map((key) => key.slice((start + kind).length))
    },
  }
}

/**
 * What the user of this session has written and not sent. If the session ends on its own, it is kept until the user logs in
 * again; logging out removes it.
 */
export const own = ownIn(local)

/** Like `own`, until the tab is closed. */
export const ownTab = ownIn(tab)

/** Removes what a user has written and not sent. */
export function removeOwn(userId: string): void {
  for (const storage of [local, tab]) {
    for (const key of storage.keys(prefixOf(userId))) storage.remove(key)
  }
}

// Earlier versions stored messages without their user, so it is unknown who may see them.
for (const key of local.keys('talk_')) local.remove(key)
