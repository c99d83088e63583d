/** The rules of the login password, one by one, for a checklist. */
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

export function isStrongPassword(password: string): boolean {
  return Object.values(passwordParts(password)).every(Boolean)
}
