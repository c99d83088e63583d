/** Returns the six digits of a code, which some apps show in two groups; empty if it does not have six. */
export function codeDigits(code: string): string {
  const digits = code.replaceAll(' ', '')
  return /^\d{6}$/.test(digits) ? digits : ''
}
