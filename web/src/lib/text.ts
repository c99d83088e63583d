/** Shortens addresses and hashes over 16 characters to their first and last 8, for display only. */
export function shorten(value: string): string {
  return value.length > 16 ? `${value.slice(0, 8)}…${value.slice(-8)}` : value
}

/** Groups characters by four, so that account numbers are easier to read and compare. */
export function groupFours(value: string): string {
  return /^\d{9,}$/.test(value) ? value.replace(/(\d{4})(?=\d)/g, '$1 ') : value
}
