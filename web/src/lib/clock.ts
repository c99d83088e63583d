import { useSyncExternalStore } from 'react'

/** The interval at which the screen follows the clock, in milliseconds. */
const TICK_MS = 1_000
/** How old the time on the screen may be when something new is shown, in milliseconds. */
const STALE_MS = 250
/** A clock that falls behind by less is a slower response, and is ignored. */
const JITTER_MS = 750

/** Milliseconds from this device's clock to the server's. */
let offset = 0
/** The server's time as components see it. It changes only when listeners are notified. */
let shown = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  shown = serverNow()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function snapshot(): number {
  // The clock does not tick while no countdown is shown, and browsers slow timers in hidden tabs.
  const now = serverNow()
  if (Math.abs(now - shown) >= STALE_MS) shown = now
  return shown
}

/** Corrects the clock by the `serverTime` of a response. */
export function syncServerTime(iso: string, received: number = Date.now()): void {
  const server = Date.parse(iso)
  if (Number.isNaN(server)) return
  // Responses take time, so the server's clock is ahead of what each of them says, and the quickest one says the most.
  const next = server - received
  if (next <= offset && offset - next <= JITTER_MS) return
  const jumps = Math.abs(next - offset) > JITTER_MS
  offset = next
  if (jumps) tick()
}

/**
 * Returns the server's time, for handlers and effects. Components use `useNow` instead, because the React Compiler
 * memoizes a clock that render reads directly.
 */
export function serverNow(device: number = Date.now()): number {
  return device + offset
}

/** Returns the server's time, in milliseconds since 1970, and re-renders each second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, snapshot)
}

/** Returns whether a time lies in the future by the server's clock, and re-renders when it has come. */
export function useIsAhead(time: string | null): boolean {
  return useSyncExternalStore(subscribe, () => time !== null && Date.parse(time) > snapshot())
}

export interface Remaining {
  ms: number
  over: boolean
  /** `14:32`, `1:02:09`, or with days `2d 3:04:05`; never below zero. */
  text: string
}

/** Returns the time left until `deadline` at `now`, both on the server's clock. */
export function remaining(deadline: string, now: number): Remaining {
  const ms = Date.parse(deadline) - now
  // Rounding up would show more than the whole time at its beginning, when this clock is a little behind.
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = seconds % 60
  const clock =
    hours > 0 || days > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${two(minutes)}:${two(rest)}`
  return { ms, over: ms <= 0, text: days > 0 ? `${days}d ${clock}` : clock }
}
