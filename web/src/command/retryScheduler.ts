export interface RetryOptions {
  /** Whether anything on screen has failed and is retryable. */
  hasFailed: () => boolean
  /** Online, and the page is visible. */
  isActive: () => boolean
  /** Whether the server responds. Never throws; ends early by the signal. */
  probe: (signal: AbortSignal) => Promise<boolean>
  /** Refetches everything that failed; ends when all of it has settled. */
  refetch: () => Promise<void>
  /** At least 0, less than 1. */
  random: () => number
}

const FIRST_MS = 2_000
const MOST_MS = 30_000

/** Exponential back-off with jitter, so that browsers do not retry at the same moment. */
export function retryDelayMs(failures: number, random: number): number {
  const longest = Math.min(MOST_MS, FIRST_MS * 2 ** failures)
  return Math.round(longest * (0.5 + random / 2))
}

/**
 * Retries failed queries: probes with one small request at growing intervals, and at once when the network is back or
 * the page becomes visible. Only when the probe gets a response does it refetch the rest.
 */
export class RetryScheduler {
  readonly #options: RetryOptions
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  #probe: AbortController | null = null
  #refetching = false

  constructor(parts: RetryOptions) {
    this.#options = parts
  }

  /** Call when a query settles, fails or leaves the screen. */
  schedule(): void {
    if (this.#probe !== null || this.#refetching) return
    if (!this.#options.hasFailed()) {
      this.#failures = 0
      this.#clear()
      return
    }
    if (this.#timer !== null || !this.#options.isActive()) return
    this.#timer = setTimeout(
      () => {
        this.#timer = null
        void this.#ask()
      },
      retryDelayMs(this.#failures, this.#options.random()),
    )
  }

  /** Call when the network is back or the page becomes visible: earlier failures no longer count. */
  retryNow(): void {
    if (this.#refetching || !this.#options.hasFailed()) return
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
    // Offline or hidden; `retryNow` follows.
    if (!this.#options.isActive()) return
    const mine = new AbortController()
    this.#probe = mine
    const anybody = await this.#options.probe(mine.signal)
    if (this.#probe !== mine) return
    this.#probe = null
    if (anybody) {
      this.#refetching = true
      await this.#options.refetch()
      this.#refetching = false
    }
    this.#failures += 1
    this.schedule()
  }
}
