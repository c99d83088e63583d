import { expect, test, vi } from 'vitest'
import { InsecureContextError } from '@/lib/encrypt'
import { solveProofOfWork } from './proofOfWork'

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

test('finds the number for a hash, including the first and the last', async () => {
  for (const number of [0, 7, 8, 20]) {
    expect(await solveProofOfWork('salt', await hashOf(`salt${number}`), 20, 8)).toBe(number)
  }
})

test('returns null if no number matches', async () => {
  expect(await solveProofOfWork('salt', await hashOf('salt1501'), 20, 8)).toBeNull()
})

test('stops when aborted', async () => {
  expect(await solveProofOfWork('salt', await hashOf('salt7'), 20, 8, AbortSignal.abort())).toBeNull()
})

test('without HTTPS, it reports the insecure connection', async () => {
  vi.stubGlobal('crypto', {})
  await expect(solveProofOfWork('salt', '', 1)).rejects.toBeInstanceOf(InsecureContextError)
  vi.unstubAllGlobals()
})
