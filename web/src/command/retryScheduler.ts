export interface RetryOptions {
  /** Returns whether any query on screen has failed and is retryable. */
  hasFailed: () => boolean
  /** Returns whether the device is online and the page is visible. */
  isActive: () => boolean
  /** Returns whether the server responds. Never throws; the signal ends it early. */
  probe: (signal: AbortSignal) => Promise<boolean>
  /** Refetches all failed queries, and waits until they have settled. */
  refetch: () => Promise<void>
  /** Returns a random number, at least 0 and less than 1. */
  random: () => number
}

const FIRST_MS = 2_000
const MOST_MS = 30_000

/** Returns the delay of a retry: exponential backoff, with jitter so that browsers do not retry together. */
export function retryDelayMs(failures: number, random: number): number {
  const longest = Math.min(MOST_MS, FIRST_MS * 2 ** failures)
  return Math.round(longest * (0.5 + random / 2))
}

/**
 * Retries failed queries. It probes the server with one small request at growing intervals, and at once when the
 * network is back or the page becomes visible. When a probe gets a response, it refetches the failed queries.
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

  /** Schedules the next probe. Call this when a query settles, fails or leaves the screen. */
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

  /** Probes at once and forgets earlier failures. Call this when the network is back or the page becomes visible. */
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
    // While offline or hidden, wait for `retryNow`.
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
