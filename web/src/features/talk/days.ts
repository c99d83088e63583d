import type { TalkEntry } from '@/api/types'

/** The entries of one day in the time zone of this device. */
export interface Day {
  /** Names the day, also when earlier entries of it are added. */
  key: string
  /** The time of the day's first entry. */
  at: string
  entries: TalkEntry[]
}

/** Groups entries by day. */
export function byDay(entries: readonly TalkEntry[]): Day[] {
  const days: Day[] = []
  for (const entry of entries) {
    const key = new Date(entry.at).toDateString()
    const day = days.at(-1)
    if (day?.key === key) day.entries.push(entry)
    else days.push({ key, at: entry.at, entries: [entry] })
  }
  return days
}

/** Returns how many days ago a time was, in calendar days of this device. */
export function daysAgo(iso: string, now: number): number {
  const midnight = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
  return Math.round((midnight(new Date(now)) - midnight(new Date(iso))) / 86_400_000)
}
