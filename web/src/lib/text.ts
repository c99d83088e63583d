/** Addresses and hashes over 16 characters show their first 8 and last 8; copying always takes the whole. */
export function shorten(value: string): string {
  return value.length > 16 ? `${value.slice(0, 8)}…${value.slice(-8)}` : value
}

/** Groups of four, for reading an account number aloud or comparing it. */
export function groupFours(value: string): string {
  return /^\d{9,}$/.test(value) ? value.replace(/(\d{4})(?=\d)/g, '$1 ') : value
}
