import type { Talk } from '@/api/talk'
import type { TalkEntry } from '@/api/types'
import type { Outgoing } from './outbox'

/** Splits the queue into messages that are known to be entries now, and messages to show as pending. */
export function splitQueue(queue: readonly Outgoing[], talk: Pick<Talk, 'entries' | 'confirmed' | 'role'>) {
  const last = talk.entries.at(-1)?.number ?? 0
  const arrived = queue.filter(
    ({ key, number }) => talk.confirmed.includes(key) || (number !== undefined && number <= last),
  )
  const unclaimed = new Set(talk.entries.filter((entry) => entry.author === talk.role))
  const pending = queue.filter((message) => {
    if (arrived.includes(message)) return false
    const entry = Array.from(unclaimed).find((one) => isEntryOf(message, one))
    if (entry !== undefined) unclaimed.delete(entry)
    return entry === undefined
  })
  return { arrived, pending }
}

/**
 * Returns whether an entry looks like the one of a message that is being sent. An entry can be read before the response to the
 * message arrives, and the message must not be shown twice until then.
 */
function isEntryOf(message: Outgoing, entry: TalkEntry): boolean {
  const { after, refusal, warnings } = message
  return (
    after !== undefined &&
    refusal === undefined &&
    warnings === undefined &&
    entry.number > after &&
    entry.text === message.text &&
    entry.files.length === (message.files?.length ?? 0)
  )
}
