const MINUTE_MS = 60_000

/** Returns the whole days, hours and minutes between a time and `now`; zero if it is in the future. */
export function ageParts(since: string, now: number): { days: number; hours: number; minutes: number } {
  const total = Math.max(0, Math.floor((now - Date.parse(since)) / MINUTE_MS))
  return { days: Math.floor(total / 1440), hours: Math.floor((total % 1440) / 60), minutes: total % 60 }
}
