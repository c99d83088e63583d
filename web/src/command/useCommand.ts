import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isApiError } from '@/api/envelope'
import type { Sealed } from '@/api/types'
import { uuid } from '@/lib/uuid'
import { toast } from '@/ui/toast'
import { explained } from './explained'
import { seal } from './seal'

/** The headers of one command; the same key until its outcome is known. */
export type CommandHeaders = Record<'Idempotency-Key', string>

/** Encrypts a password; the same one of the same command always looks the same, for else it were another request. */
export type Sealing = (secret: string) => Promise<Sealed>

export interface CommandOptions<I, O> {
  run: (input: I, headers: CommandHeaders, sealing: Sealing) => Promise<O>
  /** What the command makes stale. */
  touches?: readonly (readonly string[])[]
  done?: (output: O, input: I) => void
  /** Returns true when the screen itself shows the refusal. */
  refused?: (error: unknown, input: I) => boolean
}

export interface Command<I> {
  send: (input: I) => void
  busy: boolean
  error: unknown
  clear: () => void
}

interface Pending {
  key: string
  content: string
  sealed: Map<string, Sealed>
}

async function sealedOnce(sealed: Map<string, Sealed>, secret: string): Promise<Sealed> {
  const known = sealed.get(secret)
  if (known !== undefined) return known
  const fresh = await seal(secret)
  sealed.set(secret, fresh)
  return fresh
}

/**
 * One thing a person asks the server to do. When no answer came, nobody knows whether it was done:
 * the next tap with the same content sends the same key, so that it cannot happen twice.
 */
export function useCommand<I, O>({ run, touches = [], done, refused }: CommandOptions<I, O>): Command<I> {
  const client = useQueryClient()
  const pending = useRef<Pending | null>(null)
  // Two taps can come before the first has changed what is on screen.
  const running = useRef(false)
  const mutation = useMutation({
    mutationFn: (input: I) => {
      const content = JSON.stringify(input) ?? ''
      if (pending.current?.content !== content) pending.current = { key: uuid(), content, sealed: new Map() }
      const { key, sealed } = pending.current
      return run(input, { 'Idempotency-Key': key }, (secret) => sealedOnce(sealed, secret))
    },
    onSuccess: (output, input) => {
      pending.current = null
      for (const queryKey of touches) void client.invalidateQueries({ queryKey })
      done?.(output, input)
    },
    onSettled: () => {
      running.current = false
    },
    onError: (error, input) => {
      if (!(isApiError(error) && error.undecided)) pending.current = null
      // A refusal usually means that what is on screen was old.
      for (const queryKey of touches) void client.invalidateQueries({ queryKey })
      if (refused?.(error, input) === true) return
      void explained(error, 'command').then((said) => {
        if (said.toast || !isApiError(error) || error.code === '500') toast(said.text, 'error')
      })
    },
  })
  return {
    send: (input) => {
      if (running.current) return
      running.current = true
      mutation.mutate(input)
    },
    busy: mutation.isPending,
    error: mutation.error,
    clear: mutation.reset,
  }
}
