import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { read } from '@/api/createApi'
import { explainError } from '@/command/explainError'
import { uuid } from '@/lib/uuid'
import { api } from '../client'
import { joinEntries, talkKey } from './data'
import type { CaseEntry } from './types'

/** An official message that is on its way, or was refused. */
export interface Pending {
  /** The idempotency key: however often the message is sent, it is said once. */
  key: string
  text: string
  /** Why it was not sent; null while it is on its way. */
  problem: string | null
}

/** Sends official messages one after another, so that they arrive in order. They are shown at once. */
export function useOfficialMessages(id: string) {
  const client = useQueryClient()
  const [pending, setPending] = useState<readonly Pending[]>([])
  const before = useRef<Promise<void>>(Promise.resolve())

  const discard = (key: string) => setPending((all) => all.filter((one) => one.key !== key))
  const mark = (key: string, problem: string | null) =>
    setPending((all) => all.map((one) => (one.key === key ? { ...one, problem } : one)))

  const deliver = async (key: string, text: string): Promise<void> => {
    try {
      const entry = await read(
        api.POST('/ops/appeals/{id}/talk', {
          params: { path: { id } },
          body: { text },
          headers: { 'Idempotency-Key': key },
        }),
      )
      client.setQueryData<CaseEntry[]>(talkKey(id), (known) => joinEntries(known ?? [], [entry]))
      discard(key)
      // Other entries may precede it.
      void client.invalidateQueries({ queryKey: talkKey(id) })
    } catch (error) {
      mark(key, (await explainError(error, 'command')).text)
    }
  }
  const enqueue = (key: string, text: string) => {
    before.current = before.current.then(() => deliver(key, text))
  }
  return {
    pending,
    discard,
    send: (text: string) => {
      const key = uuid()
      setPending((all) => [...all, { key, text, problem: null }])
      enqueue(key, text)
    },
    again: (key: string) => {
      const text = pending.find((one) => one.key === key)?.text
      if (text === undefined) return
      mark(key, null)
      enqueue(key, text)
    },
  }
}
