import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { createApi, read } from '@/api/createApi'
import { isApiError } from '@/api/envelope'
import type { Sealed } from '@/api/types'
import { sealWith } from '@/command/sealWith'
import { type Command, type CommandOptions, useCommandWith } from '@/command/useCommandWith'
import type { OwnOfficer } from './types'

const ended = new Set<() => void>()

/** The API with the session of the officer, which is in a cookie that scripts cannot read. */
export const api = createApi({
  token: () => null,
  ended: endSession,
})

/** Calls a function when the session has ended: the server no longer accepts it, or the officer has signed out. */
export function onSessionEnd(listener: () => void): void {
  ended.add(listener)
}

/** Reports that the officer has signed out. */
export function endSession(): void {
  for (const listener of ended) listener()
}

/** The key of the officer's own account. */
export const ME = ['me']

/** The officer's own account; null without a session. */
export const ownOfficer = queryOptions({
  queryKey: ME,
  queryFn: async (): Promise<OwnOfficer | null> => {
    try {
      return await read(api.GET('/console/me'))
    } catch (error) {
      if (isApiError(error) && error.code === '401') return null
      throw error
    }
  },
})

/** Shows the sign-in as soon as the server no longer accepts the session. */
export function forgetEndedSessions(client: QueryClient): void {
  onSessionEnd(() => {
    if (client.getQueryData(ME) === null) return
    client.setQueryData(ME, null)
    // The next officer must not see what this one has read.
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== ME[0] })
  })
}

async function seal(secret: string): Promise<Sealed> {
  return sealWith(await read(api.GET('/user/secretKey')), secret)
}

/** Sends a command of an officer. While its outcome is unknown, sending the same content again cannot execute it twice. */
export function useOfficerCommand<I, O>(options: CommandOptions<I, O>): Command<I> {
  return useCommandWith(seal, options)
}
