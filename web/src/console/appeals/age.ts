const MINUTE_MS = 60_000

/** How long before its due time an appeal counts as due soon, in milliseconds. */
const SOON_MS = 4 * 60 * MINUTE_MS

/** Returns whether a due time is over, soon, or later. */
export function dueState(at: string, now: number): 'over' | 'soon' | 'later' {
  const left = Date.parse(at) - now
  return left <= 0 ? 'over' : left <= SOON_MS ? 'soon' : 'later'
}

/** Returns the whole days, hours and minutes between a time and `now`; zero if it is in the future. */
export function ageParts(since: string, now: number): { days: number; hours: number; minutes: number } {
  const total = Math.max(0, Math.floor((now - Date.parse(since)) / MINUTE_MS))
  return { days: Math.floor(total / 1440), hours: Math.floor((total % 1440) / 60), minutes: total % 60 }
}
