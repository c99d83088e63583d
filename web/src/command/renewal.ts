/** What the machine asks about, and does. */
export interface RenewalParts {
  /** Whether anything on screen failed that may be had later. */
  waits: () => boolean
  /** There is a network, and somebody looks. */
  awake: () => boolean
  /** Whether anybody answers at all. Never throws; ends early by the signal. */
  answers: (signal: AbortSignal) => Promise<boolean>
  /** Asks again for all that waits; ends when all of it has come or failed. */
  renew: () => Promise<void>
  /** At least 0, less than 1. */
  random: () => number
}

const FIRST_MS = 2_000
const MOST_MS = 30_000

/** How long to wait after so many failures: twice as long each time, and never all browsers at the same moment. */
export function pauseMs(failures: number, random: number): number {
  const longest = Math.min(MOST_MS, FIRST_MS * 2 ** failures)
  return Math.round(longest * (0.5 + random / 2))
}

/**
 * Brings back what could not be had: one small question at a time, after ever longer waits, and at once when the
 * network is back or the page is looked at again. Only when somebody answers is anything else asked for.
 */
export class Renewal {
  readonly #parts: RenewalParts
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  #probe: AbortController | null = null
  #renewing = false

  constructor(parts: RenewalParts) {
    this.#parts = parts
  }

  /** Something came, failed, or left the screen. */
  look(): void {
    if (this.#probe !== null || this.#renewing) return
    if (!this.#parts.waits()) {
      this.#failures = 0
      this.#clear()
      return
    }
    if (this.#timer !== null || !this.#parts.awake()) return
    this.#timer = setTimeout(
      () => {
        this.#timer = null
        void this.#ask()
      },
      pauseMs(this.#failures, this.#parts.random()),
    )
  }

  /** The network is back, or somebody looks again: what was found out before says nothing now. */
  wake(): void {
    if (this.#renewing || !this.#parts.waits()) return
    this.#failures = 0
    void this.#ask()
  }

  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  async #ask(): Promise<void> {
    this.#clear()
    this.#probe?.abort()
    this.#probe = null
    // Nobody is told anything; waking up asks at once.
    if (!this.#parts.awake()) return
    const mine = new AbortController()
    this.#probe = mine
    const anybody = await this.#parts.answers(mine.signal)
    if (this.#probe !== mine) return
    this.#probe = null
    if (anybody) {
      this.#renewing = true
      await this.#parts.renew()
      this.#renewing = false
    }
    this.#failures += 1
    this.look()
  }
}
