import type { QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { api, read } from '@/api/client'
import { isApiError, isRetryable } from '@/api/envelope'
import { addEntry, isTalkLoaded } from '@/api/talk'
import type { MessageWarning, UploadedFile } from '@/api/types'
import { explainError } from '@/command/explainError'
import { uuid } from '@/lib/uuid'
import { OUTBOX, own } from '@/session/own'
import { isSignedIn, useSession } from '@/session/session'

/** A message that is not known to be delivered to the server. */
export interface Outgoing {
  /** The idempotency key: however often the message is sent, it is said once. */
  key: string
  text: string
  /** The uploaded files. Messages of earlier versions have none. */
  files?: readonly UploadedFile[]
  /** The time at which the user sent it, in ISO 8601. */
  at: string
  despiteWarnings: boolean
  /** The number of an entry that is older than the message's. Messages of earlier versions have none. */
  after?: number
  /** The number of its entry, once the server has answered. */
  number?: number
  /** The reasons why the recipient would be warned. The user decides whether to send it. */
  warnings?: readonly MessageWarning[]
  /** The refusal of the server. */
  refusal?: string
  /** Whether the server refused the files, for example because they were deleted meanwhile. */
  filesRefused?: boolean
  /** Whether it refused them because the user's files in the conversation would be too many or too large. */
  full?: boolean
}

/** The first wait after a failure, in milliseconds; each further wait is twice as long. */
const RETRY_MS = 2_000
const MOST_RETRY_MS = 30_000

type Queues = Readonly<Record<string, readonly Outgoing[]>>

function isQueue(value: unknown): value is readonly Outgoing[] {
  return Array.isArray(value) && value.length > 0
}

function storedQueue(orderId: string): readonly Outgoing[] {
  try {
    const queue: unknown = JSON.parse(own.get(OUTBOX + orderId) ?? '[]')
    return isQueue(queue) ? queue : NONE
  } catch {
    return NONE
  }
}

const NONE: readonly Outgoing[] = []

function stored(): Queues {
  return Object.fromEntries(own.namesOf(OUTBOX).map((orderId) => [orderId, storedQueue(orderId)]))
}

/** The queues of the user of this session. */
const useQueues = create<{ queues: Queues }>(() => ({ queues: stored() }))

useSession.subscribe(({ userId }, before) => {
  if (userId === before.userId) return
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
  failures.clear()
  useQueues.setState({ queues: stored() })
})

/** The messages of an order that are waiting, failed or just sent, oldest first. */
export const useOutbox = (orderId: string) => useQueues(({ queues }) => queues[orderId] ?? NONE)

function queueOf(orderId: string): readonly Outgoing[] {
  return useQueues.getState().queues[orderId] ?? NONE
}

function setQueue(orderId: string, queue: readonly Outgoing[]): void {
  const { [orderId]: _, ...others } = useQueues.getState().queues
  useQueues.setState({ queues: queue.length === 0 ? others : { ...others, [orderId]: queue } })
  if (queue.length === 0) own.remove(OUTBOX + orderId)
  else own.set(OUTBOX + orderId, JSON.stringify(queue))
}

function replace(orderId: string, key: string, by: (message: Outgoing) => Outgoing): void {
  setQueue(
    orderId,
    queueOf(orderId).map((one) => (one.key === key ? by(one) : one)),
  )
}

/** Removes messages, for example because they are shown as entries now. */
export function forget(orderId: string, keys: readonly string[]): void {
  const left = queueOf(orderId).filter((one) => !keys.includes(one.key))
  if (left.length < queueOf(orderId).length) setQueue(orderId, left)
}

/** Queues a message and sends it. */
export function sendMessage(
  client: QueryClient,
  orderId: string,
  draft: Pick<Outgoing, 'text' | 'files' | 'after'>,
): void {
  const message = { ...draft, key: uuid(), at: new Date().toISOString(), despiteWarnings: false }
  setQueue(orderId, [...queueOf(orderId), message])
  void flush(client, orderId)
}

/**
 * Sends a message again that was refused: without its files if these were refused, and although its recipient will be warned
 * if the user was asked about that.
 */
export function sendAgain(client: QueryClient, orderId: string, message: Outgoing): void {
  const { warnings, refusal: _, filesRefused, full: __, files, ...rest } = message
  const despiteWarnings = rest.despiteWarnings || warnings !== undefined
  const kept = filesRefused === true || files === undefined ? {} : { files }
  replace(orderId, message.key, () => ({ ...rest, ...kept, despiteWarnings }))
  void flush(client, orderId)
}

const running = new Set<string>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const failures = new Map<string, number>()

/** Returns whether the user has to decide what happens to a message. */
export function isRefused({ warnings, refusal, filesRefused }: Outgoing): boolean {
  return warnings !== undefined || refusal !== undefined || filesRefused === true
}

function next(orderId: string): Outgoing | undefined {
  return queueOf(orderId).find((one) => one.number === undefined && !isRefused(one))
}

function warningsOf(data: unknown): readonly MessageWarning[] | undefined {
  if (typeof data !== 'object' || data === null || !('warnings' in data)) return undefined
  return Array.isArray(data.warnings) ? data.warnings : undefined
}

function isAboutFiles(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'field' in data && data.field === 'files'
}

function isFull(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'reason' in data && data.reason === 'conversation full'
}

function retryAfterMs(data: unknown): number {
  const seconds = typeof data === 'object' && data !== null && 'retryAfter' in data ? data.retryAfter : 1
  return (typeof seconds === 'number' ? seconds : 1) * 1000
}

function later(client: QueryClient, orderId: string, ms: number): void {
  clearTimeout(timers.get(orderId))
  timers.set(
    orderId,
    setTimeout(() => void flush(client, orderId), ms),
  )
}

/** Notes the number of a sent message. The later messages of the queue follow it. */
function afterSending(key: string, number: number): (message: Outgoing) => Outgoing {
  return (one) => {
    if (one.key === key) return { ...one, number }
    return { ...one, after: Math.max(one.after ?? 0, number) }
  }
}

async function send(client: QueryClient, orderId: string, message: Outgoing): Promise<void> {
  const { key, text, despiteWarnings } = message
  const files = message.files?.map(({ id }) => id) ?? []
  const mine = sameUser()
  try {
    const entry = await read(
      api.POST('/user/fiat/talk/{id}', {
        params: { path: { id: orderId } },
        body: { text, files, despiteWarnings },
        headers: { 'Idempotency-Key': key },
      }),
    )
    if (!mine()) return
    failures.delete(orderId)
    setQueue(orderId, queueOf(orderId).map(afterSending(key, entry.number)))
    addEntry(client, orderId, entry, key)
    // Where the conversation is shown, the message stays until its entry takes its place.
    if (!isTalkLoaded(client, orderId)) forget(orderId, [key])
  } catch (error) {
    // A session that has ended refuses the message. It stays in the queue of its author.
    if (!mine()) return
    if (isApiError(error) && error.status === 429) {
      later(client, orderId, retryAfterMs(error.data))
    } else if (isRetryable(error)) {
      const count = failures.get(orderId) ?? 0
      failures.set(orderId, count + 1)
      later(client, orderId, Math.min(MOST_RETRY_MS, RETRY_MS * 2 ** count))
    } else if (isApiError(error) && isAboutFiles(error.data)) {
      replace(orderId, key, (one) => ({ ...one, filesRefused: true }))
    } else if (isApiError(error) && isFull(error.data)) {
      replace(orderId, key, (one) => ({ ...one, filesRefused: true, full: true }))
    } else {
      const warnings = isApiError(error) ? warningsOf(error.data) : undefined
      const refusal = (await explainError(error, 'command')).text
      if (!mine()) return
      replace(orderId, key, (one) => ({ ...one, ...(warnings === undefined ? { refusal } : { warnings }) }))
    }
  }
}

/** Returns a function that returns whether the session is still of the same user. */
function sameUser(): () => boolean {
  const { userId } = useSession.getState()
  return () => useSession.getState().userId === userId
}

/**
 * Sends the waiting messages of an order one after another. While the outcome of one is unknown, it is sent again under its
 * key, and later messages wait, so that they arrive in order.
 */
async function flush(client: QueryClient, orderId: string): Promise<void> {
  const { userId } = useSession.getState()
  // The messages of the next user do not wait for those of the previous one.
  const lane = `${userId} ${orderId}`
  if (!isSignedIn() || running.has(lane)) return
  const mine = sameUser()
  running.add(lane)
  clearTimeout(timers.get(orderId))
  timers.delete(orderId)
  try {
    for (let message = next(orderId); message !== undefined; message = next(orderId)) {
      await send(client, orderId, message)
      if (!mine() || timers.has(orderId)) return
    }
  } finally {
    running.delete(lane)
  }
}

/** Sends all waiting messages of the user. */
export function flushAll(client: QueryClient): void {
  for (const orderId of Object.keys(useQueues.getState().queues)) void flush(client, orderId)
}
