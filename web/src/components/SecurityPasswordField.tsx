import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { isApiError } from '@/api/envelope'
import type { Command } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { AppLink, useCurrentHref } from '@/navigation/navigation'
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
  const here = useCurrentHref()
  const refused = useErrorText(isWrongSecurityPassword(error) ? error : null, 'command')
  const shown = refused !== '' ? refused : tried && value === '' ? t`Enter your security password.` : ''
  const field = useRef<HTMLDivElement>(null)
  // The button of a sheet stays in sight while its content scrolls, so the error may be out of sight.
  useEffect(() => {
    if (shown !== '') field.current?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  return (
    <div ref={field}>
      <SecretField
        label={t`Security password`}
        autoComplete="off"
        value={value}
        onChange={(next) => {
          onChange(next)
          clear()
        }}
        error={shown}
        aside={
          <AppLink
            to="/updateSecurityPassword"
            query={{ next: here, by: 'code' }}
            className="-my-2 inline-flex min-h-11 items-center font-medium text-brand"
          >
            <Trans>Forgot it?</Trans>
          </AppLink>
        }
      />
    </div>
  )
}
