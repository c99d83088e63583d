/** The parts of the registration password's rule, so that a screen can tick them off one by one. */
export interface PasswordParts {
  length: boolean
  upper: boolean
  lower: boolean
  digit: boolean
  special: boolean
}

export function passwordParts(password: string): PasswordParts {
  const length = Array.from(password).length
  return {
    length: length >= 8 && length <= 32,
    upper: /\p{Lu}/u.test(password),
    lower: /\p{Ll}/u.test(password),
    digit: /\d/.test(password),
    special: /[^\p{L}\p{N}\s]/u.test(password),
  }
}

export function isStrong(password: string): boolean {
  return Object.values(passwordParts(password)).every(Boolean)
}

/** Catches typing errors only; the code we send is the proof. */
export function looksLikeEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)
}
