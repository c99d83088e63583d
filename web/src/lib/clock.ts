import { create } from 'zustand'

interface ServerClock {
  /** Milliseconds to add to this device's clock to get the server's. */
  offset: number
}

const useOffset = create<ServerClock>(() => ({ offset: 0 }))

/** Every answer that carries `serverTime` corrects the clock that countdowns run by. */
export function noteServerTime(iso: string, received: number = Date.now()): void {
  const server = Date.parse(iso)
  if (Number.isNaN(server)) return
  const offset = server - received
  // Network jitter must not make a countdown tremble.
  if (Math.abs(offset - useOffset.getState().offset) > 750) useOffset.setState({ offset })
}

export function serverNow(device: number = Date.now()): number {
  return device + useOffset.getState().offset
}

export interface Remaining {
  ms: number
  over: boolean
  /** `14:32`, `1:02:09`, or with days `2d 3:04:05`; never below zero. */
  text: string
}

/** What is left until `deadline` on the server's clock. */
export function remaining(deadline: string, device: number = Date.now()): Remaining {
  const ms = Date.parse(deadline) - serverNow(device)
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = seconds % 60
  const clock =
    hours > 0 || days > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${two(minutes)}:${two(rest)}`
  return { ms, over: ms <= 0, text: days > 0 ? `${days}d ${clock}` : clock }
}
