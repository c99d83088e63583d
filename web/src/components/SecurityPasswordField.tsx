import { useLingui } from '@lingui/react/macro'
import { isApiError } from '@/api/envelope'
import type { Command } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { SecretField } from '@/ui/SecretField'

/** Returns whether the security password was wrong. `SecurityPasswordField` shows this refusal itself. */
export function isWrongSecurityPassword(error: unknown): boolean {
  return isApiError(error) && error.code === 'USER3011'
}

/** The security password that authorizes a command. */
export function SecurityPasswordField({
  value,
  onChange,
  tried,
  command: { error, clear },
}: {
  value: string
  onChange: (value: string) => void
  /** Whether the user has tried to send the command. */
  tried: boolean
  command: Pick<Command<never>, 'error' | 'clear'>
}) {
  const { t } = useLingui()
  const refused = useErrorText(isWrongSecurityPassword(error) ? error : null, 'command')
  return (
    <SecretField
      label={t`Security password`}
      autoComplete="off"
      value={value}
      onChange={(next) => {
        onChange(next)
        clear()
      }}
      error={refused !== '' ? refused : tried && value === '' ? t`Enter your security password.` : ''}
    />
  )
}
