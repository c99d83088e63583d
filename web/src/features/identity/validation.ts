/** Returns whether a text has the form of a code that was sent by email. */
export function isCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** Returns whether a text looks like an email address. Catches typos only; the emailed code is the proof. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)
}
