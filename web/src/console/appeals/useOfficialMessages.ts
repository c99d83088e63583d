import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { read } from '@/api/createApi'
import { ApiError } from '@/api/envelope'
import { explainError } from '@/command/explainError'
import { uuid } from '@/lib/uuid'
import { api, onSessionEnd } from '../client'
import { joinEntries, lastNumber, talkKey } from './data'
import type { CaseEntry } from './types'

/** An official message that is on its way, or was refused. */
export interface Pending {
  /** The idempotency key: however often the message is sent, it is said once. */
  key: string
  text: string
  /** Why it was not sent; null while it is on its way. */
  problem: string | null
}

/** Where messages wait: the officer who wrote them, and the case. */
interface Place {
  officer: string
  id: string
}

const NONE: readonly Pending[] = []

/**
 * The messages by officer and case. They outlive the page of the case, so that none is lost when the officer leaves it or has to
 * sign in again, and the next officer at this device sees none of them.
 */
const useQueues = create<Readonly<Record<string, readonly Pending[]>>>(() => ({}))

/** The end of the last attempt in each place: messages are sent one after another, so that they arrive in order. */
const running = new Map<string, Promise<void>>()

/** The number of sessions that have ended. A message is never sent in the session of another officer. */
let sessions = 0
onSessionEnd(() => {
  sessions += 1
})

const nameOf = ({ officer, id }: Place) => `${officer} ${id}`

function queueOf(place: Place): readonly Pending[] {
  return useQueues.getState()[nameOf(place)] ?? NONE
}

function setQueue(place: Place, queue: readonly Pending[]): void {
  useQueues.setState({ [nameOf(place)]: queue })
}

function remove(place: Place, key: string): void {
  setQueue(
    place,
    queueOf(place).filter((one) => one.key !== key),
  )
}

function mark(place: Place, key: string, problem: string | null): void {
  const marked = (message: Pending) => ({ ...message, problem })
  setQueue(
    place,
    queueOf(place).map((one) => (one.key === key ? marked(one) : one)),
  )
}

async function deliver(client: QueryClient, place: Place, key: string, session: number): Promise<void> {
  const { id } = place
  const message = queueOf(place).find((one) => one.key === key)
  if (message === undefined) return
  try {
    if (session !== sessions) throw new ApiError('401', 401, '')
    const entry = await read(
      api.POST('/console/appeals/{id}/talk', {
        params: { path: { id } },
        body: { text: message.text },
        headers: { 'Idempotency-Key': key },
      }),
    )
    const known = client.getQueryData<CaseEntry[]>(talkKey(id))
    // What precedes it is read first, because a poll reads only what follows the newest known entry.
    if (known === undefined || lastNumber(known) + 1 < entry.number)
      await client.invalidateQueries({ queryKey: talkKey(id) })
    else client.setQueryData<CaseEntry[]>(talkKey(id), joinEntries(known, [entry]))
    remove(place, key)
  } catch (error) {
    mark(place, key, (await explainError(error, 'command')).text)
  }
}

function enqueue(client: QueryClient, place: Place, key: string): void {
  const before = running.get(nameOf(place)) ?? Promise.resolve()
  const session = sessions
  running.set(
    nameOf(place),
    before.then(() => deliver(client, place, key, session)),
  )
}

/** The official messages of an officer in a case that are on their way or were refused. They are shown at once. */
export function useOfficialMessages(officer: string, id: string) {
  const client = useQueryClient()
  const place = { officer, id }
  const pending = useQueues((queues) => queues[nameOf(place)] ?? NONE)
  return {
    pending,
    discard: (key: string) => remove(place, key),
    send: (text: string) => {
      const key = uuid()
      setQueue(place, [...queueOf(place), { key, text, problem: null }])
      enqueue(client, place, key)
    },
    again: (key: string) => {
      mark(place, key, null)
      enqueue(client, place, key)
    },
  }
}
