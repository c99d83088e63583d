import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isApiError, isRetryable } from '@/api/envelope'
import type { Sealed } from '@/api/types'
import { uuid } from '@/lib/uuid'
import { toast } from '@/ui/toast'
import { explainError } from './explainError'

/** The headers of one command. The idempotency key stays the same until the outcome is known. */
export type CommandHeaders = Record<'Idempotency-Key', string>

/** Encrypts a password. Cached within a command, because another ciphertext would change the request hash. */
export type Seal = (secret: string) => Promise<Sealed>

export interface CommandOptions<I, O> {
  run: (input: I, headers: CommandHeaders, sealing: Seal) => Promise<O>
  /** The query keys to invalidate. */
  touches?: readonly (readonly string[])[]
  done?: (output: O, input: I) => void
  /** Returns true if the screen itself shows the refusal. */
  refused?: (error: unknown, input: I) => boolean
}

export interface Command<I> {
  send: (input: I) => void
  busy: boolean
  error: unknown
  /** The input of a command that is running or whose outcome is unknown. */
  pending: I | undefined
  clear: () => void
}

interface Pending {
  key: string
  content: string
  sealed: Map<string, Sealed>
}

async function sealedOnce(seal: Seal, sealed: Map<string, Sealed>, secret: string): Promise<Sealed> {
  const known = sealed.get(secret)
  if (known !== undefined) return known
  const fresh = await seal(secret)
  sealed.set(secret, fresh)
  return fresh
}

/**
 * Sends a command. While its outcome is unknown, sending the same content again reuses the idempotency key, so that it
 * cannot be executed twice. `seal` encrypts passwords.
 */
export function useCommandWith<I, O>(
  seal: Seal,
  { run, touches = [], done, refused }: CommandOptions<I, O>,
): Command<I> {
  const client = useQueryClient()
  const pending = useRef<Pending | null>(null)
  // Two taps can arrive before the first render.
  const running = useRef(false)
  const mutation = useMutation({
    // Without a connection a command fails at once. If it were paused, it would run later, against what the user did since.
    networkMode: 'always',
    mutationFn: (input: I) => {
      const content = JSON.stringify(input) ?? ''
      if (pending.current?.content !== content) pending.current = { key: uuid(), content, sealed: new Map() }
      const { key, sealed } = pending.current
      return run(input, { 'Idempotency-Key': key }, (secret) => sealedOnce(seal, sealed, secret))
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
      if (!isRetryable(error)) pending.current = null
      // A refusal usually means that the screen was out of date.
      for (const queryKey of touches) void client.invalidateQueries({ queryKey })
      if (refused?.(error, input) === true) return
      void explainError(error, 'command').then((said) => {
        if (said.toast || !isApiError(error) || error.code === '500') toast(said.text, 'error')
      })
    },
  })
  const { error, isPending, variables } = mutation
  return {
    send: (input) => {
      if (running.current) return
      running.current = true
      mutation.mutate(input)
    },
    busy: isPending,
    error,
    pending: isPending || isRetryable(error) ? variables : undefined,
    clear: mutation.reset,
  }
}
