import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '@/api/envelope'
import { uuid } from '@/lib/uuid'
import { seal } from './seal'
import { type CommandHeaders, useCommand } from './useCommand'

vi.mock('./seal')

afterEach(() => onlineManager.setOnline(true))

interface Asked {
  input: string
  key: string
  answer: (error?: ApiError) => void
}

/** Renders a command whose responses the test provides, and records its requests. */
function command() {
  const asked: Asked[] = []
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const done = vi.fn()
  const run = (input: string, headers: CommandHeaders) =>
    new Promise<string>((resolve, reject) => {
      asked.push({
        input,
        key: headers['Idempotency-Key'],
        answer: (error) => (error === undefined ? resolve('yes') : reject(error)),
      })
    })
  const { result } = renderHook(() => useCommand({ run, done }), { wrapper })
  return {
    asked,
    done,
    tap: async (input: string) => {
      act(() => result.current.send(input))
      await waitFor(() => expect(result.current.busy).toBe(true))
    },
    answer: async (error?: ApiError) => {
      act(() => asked.at(-1)?.answer(error))
      await waitFor(() => expect(result.current.busy).toBe(false))
    },
    /** Taps twice before the screen can update. */
    tapTwice: async (input: string) => {
      act(() => {
        result.current.send(input)
        result.current.send(input)
      })
      await waitFor(() => expect(result.current.busy).toBe(true))
    },
    keys: () => asked.map((one) => one.key),
  }
}

const NO_ANSWER = new ApiError('timeout', 0, '')

test.each([
  ['no answer', NO_ANSWER],
  ['a server error', new ApiError('500', 500, '')],
  ['a gateway error', new ApiError('502', 502, '')],
])('after %s, the next tap repeats the same command', async (_, error) => {
  const { tap, answer, keys, done } = command()
  await tap('release')
  await answer(error)
  await tap('release')
  await answer()
  const [first, second] = keys()
  expect(second).toBe(first)
  expect(done).toHaveBeenCalledTimes(1)
})

test('after success, the next tap is a new command', async () => {
  const { tap, answer, keys } = command()
  await tap('release')
  await answer()
  await tap('release')
  await answer()
  expect(new Set(keys()).size).toBe(2)
})

test('after a refusal, the next tap is a new command', async () => {
  const { tap, answer, keys } = command()
  await tap('release')
  await answer(new ApiError('5050', 409, 'stale'))
  await tap('release')
  await answer()
  expect(new Set(keys()).size).toBe(2)
})

test('different input is a new command, whatever the outcome of the first', async () => {
  const { tap, answer, keys } = command()
  await tap('one password')
  await answer(NO_ANSWER)
  await tap('another password')
  await answer()
  expect(new Set(keys()).size).toBe(2)
})

test('a password is encrypted once per command, even if it is resent, and again for the next command', async () => {
  vi.mocked(seal).mockImplementation(async (secret) => ({
    keyId: 'k',
    cipher: `${secret}, sealed ${uuid()}`,
  }))
  const sent: { key: string; cipher: string }[] = []
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(
    () =>
      useCommand({
        run: async (input: { secret: string }, headers, sealing) => {
          const { cipher } = await sealing(input.secret)
          sent.push({ key: headers['Idempotency-Key'], cipher })
          if (sent.length === 1) throw NO_ANSWER
        },
      }),
    { wrapper },
  )
  for (const count of [1, 2, 3]) {
    act(() => result.current.send({ secret: 'only I know' }))
    await waitFor(() => expect(sent).toHaveLength(count))
    await waitFor(() => expect(result.current.busy).toBe(false))
  }
  const [first, again, next] = sent
  expect(again).toEqual(first)
  expect(next?.key).not.toBe(first?.key)
  expect(next?.cipher).not.toBe(first?.cipher)
})

test('a second tap sends nothing while a command is running', async () => {
  const { tapTwice, answer, asked } = command()
  await tapTwice('release')
  expect(asked).toHaveLength(1)
  await answer()
  await tapTwice('release')
  expect(asked).toHaveLength(2)
})

test('without a connection a command fails at once, and never runs later by itself', async () => {
  const { tap, answer, asked, keys, done } = command()
  onlineManager.setOnline(false)
  await tap('cancel')
  expect(asked).toHaveLength(1)
  await answer(new ApiError('network', 0, ''))
  act(() => onlineManager.setOnline(true))
  expect(asked).toHaveLength(1)
  await tap('cancel')
  await answer()
  const [first, second] = keys()
  expect(second).toBe(first)
  expect(done).toHaveBeenCalledTimes(1)
})
