import { useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { isStrongPassword, type PasswordParts, passwordParts } from '@/lib/password'
import { SecretField } from '@/ui/SecretField'

export interface NewPassword {
  password: string
  again: string
}

export const NO_PASSWORD: NewPassword = { password: '', again: '' }

/** Whether the password meets all requirements and was repeated without a typo. */
export function isComplete({ password, again }: NewPassword): boolean {
  return isStrongPassword(password) && again === password
}

/** A new login password with a checklist of its rules, typed twice. */
export function NewPasswordFields({
  value,
  onChange,
  tried,
  refused,
  label,
}: {
  value: NewPassword
  onChange: (value: NewPassword) => void
  /** Whether the user has tried to go on. */
  tried: boolean
  /** Why the server refused the password; empty if it did not. */
  refused: string
  label?: string
}) {
  const { t } = useLingui()
  const { password, again } = value
  const weak = isStrongPassword(password) ? '' : t`Your password doesn’t meet all requirements yet.`
  return (
    <>
      <SecretField
        label={label ?? t`Password`}
        name="new-password"
        autoComplete="new-password"
        maxLength={64}
        value={password}
        onChange={(typed) => onChange({ ...value, password: typed })}
        error={refused !== '' ? refused : tried ? weak : ''}
      />
      <PasswordRules parts={passwordParts(password)} />
      <SecretField
        label={t`Confirm password`}
        autoComplete="new-password"
        maxLength={64}
        value={again}
        onChange={(typed) => onChange({ ...value, again: typed })}
        error={tried && again !== password ? t`The passwords don’t match.` : ''}
      />
    </>
  )
}

function PasswordRules({ parts }: { parts: PasswordParts }) {
  const { t } = useLingui()
  const rules: [keyof PasswordParts, string][] = [
    ['length', t`8–32 characters`],
    ['upper', t`uppercase letter`],
    ['lower', t`lowercase letter`],
    ['digit', t`number`],
    ['special', t`special character`],
  ]
  return (
    <ul className="-mt-1 mb-3 flex flex-wrap gap-2 text-sm">
      {rules.map(([key, text]) => (
        <li
          key={key}
          className={`flex items-center gap-1 rounded-full px-2.5 py-1 ${parts[key] ? 'bg-brand-soft text-brand' : 'bg-sunken text-muted'}`}
        >
          {parts[key] ? <Check size={14} strokeWidth={3} aria-hidden="true" /> : null}
          {text}
          <span className="sr-only">{parts[key] ? t`met` : t`not met`}</span>
        </li>
      ))}
    </ul>
  )
}
