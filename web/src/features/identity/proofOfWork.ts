import { cryptography } from '@/lib/encrypt'

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** Digests computed at once: enough to use the processor, few enough to keep the page responsive. */
const BATCH = 512

async function hashOf(text: string): Promise<string> {
  const digest = await cryptography().digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => HEX[byte]).join('')
}

/**
 * Computes the proof of work of a security check. Finds the number up to `most` whose decimal text, appended to
 * `salt`, has the SHA-256 `hash`; `null` if there is none or the signal aborts.
 * @throws InsecureContextError where the page is neither https nor localhost
 */
export async function solveProofOfWork(
  salt: string,
  hash: string,
  most: number,
  batch = BATCH,
  signal?: AbortSignal,
): Promise<number | null> {
  for (let start = 0; start <= most; start += batch) {
    if (signal?.aborted === true) return null
    const numbers = Array.from({ length: Math.min(batch, most - start + 1) }, (_, index) => start + index)
    const found = await Promise.all(numbers.map((number) => hashOf(`${salt}${number}`)))
    const index = found.indexOf(hash)
    if (index !== -1) return start + index
  }
  return null
}
