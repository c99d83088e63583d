import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { isApiError } from '@/api/envelope'
import type { Command } from '@/command/useCommand'
import { SecretField } from '@/ui/SecretField'

/** Returns whether the login password was wrong. `LoginPasswordField` shows this refusal itself. */
export function isWrongLoginPassword(error: unknown): boolean {
  return isApiError(error) && error.code === '1004'
}

/** The current login password that authorizes a command. */
export function LoginPasswordField({
  label,
  value,
  onChange,
  tried,
  command: { error, clear },
  hint,
  aside,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  /** Whether the user has tried to send the command. */
  tried: boolean
  command: Pick<Command<never>, 'error' | 'clear'>
  hint?: string
  aside?: ReactNode
}) {
  const { t } = useLingui()
  return (
    <SecretField
      label={label}
      name="password"
      autoComplete="current-password"
      value={value}
      onChange={(typed) => {
        onChange(typed)
        clear()
      }}
      error={
        isWrongLoginPassword(error)
          ? t`Incorrect login password.`
          : tried && value === ''
            ? t`Enter your login password.`
            : ''
      }
      hint={hint}
      aside={aside}
    />
  )
}
