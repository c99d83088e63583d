import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { refusedField } from '@/api/envelope'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { Button } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { EmailCodeField } from './EmailCodeField'
import { isComplete, NewPasswordFields } from './NewPasswordFields'
import type { Account } from './RegisterPage'
import { useRegistration } from './registration'
import { isCode, isEmail } from './validation'

/** Email address with its code, and a password with a checklist of its rules. */
export function AccountStep({
  account,
  ticket,
  onChange,
  refusal,
  onDone,
  onTicketRefused,
}: {
  account: Account
  /** What the pass has proved. */
  ticket: string | null
  onChange: (account: Account) => void
  /** The refusal of the registration, if it concerns a field of this step. */
  refusal: unknown
  onDone: () => void
  /** Called if the server no longer accepts what the pass has proved. */
  onTicketRefused: () => void
}) {
  const { t } = useLingui()
  const { resendAt } = useRegistration()
  const [again, setAgain] = useState(account.password)
  const [tried, setTried] = useState(false)
  const email = account.email.trim()
  const wrong = {
    email: isEmail(email) ? '' : t`Enter a valid email address.`,
    code: isCode(account.emailCode) ? '' : t`Enter the 6-digit code from the email.`,
  }
  // Check the code in this step, where the user can correct it, and not two screens later.
  const verify = useCommand({
    run: (code: string) =>
      read(
        api.POST('/email/verify', { body: { email, purpose: 'register', code, id: account.emailCodeId } }),
      ),
    done: onDone,
    refused: (error) => refusedField(error) !== null,
  })
  const refused = verify.error ?? refusal
  const field = refusedField(refused)
  const said = useErrorText(field === null ? null : refused, 'command')
  const faultOf = (name: string, own: string) => (field === name ? said : tried ? own : '')
  const change = (changed: Account) => {
    verify.clear()
    onChange(changed)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const complete = isComplete({ password: account.password, again })
    if (complete && Object.values(wrong).every((text) => text === '')) verify.send(account.emailCode)
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-1">
      <h2 className="mb-3 font-bold text-2xl leading-tight tracking-tight">
        <Trans>Your account</Trans>
      </h2>
      <TextField
        label={t`Email`}
        type="email"
        name="email"
        autoComplete="username"
        inputMode="email"
        value={account.email}
        onChange={(value) => change({ ...account, email: value })}
        error={faultOf('email', wrong.email)}
      />
      <EmailCodeField
        email={wrong.email === '' ? email : ''}
        purpose="register"
        value={account.emailCode}
        onChange={(emailCode) => change({ ...account, emailCode })}
        resendAt={resendAt}
        onSent={(emailCodeId, next) => {
          change({ ...account, emailCodeId })
          useRegistration.setState({ resendAt: next })
        }}
        error={faultOf('emailCode', wrong.code)}
        onMissingEmail={() => setTried(true)}
        ticket={ticket}
        onTicketRefused={onTicketRefused}
      />
      <NewPasswordFields
        value={{ password: account.password, again }}
        onChange={(typed) => {
          setAgain(typed.again)
          change({ ...account, password: typed.password })
        }}
        tried={tried}
        refused={field === 'password' ? said : ''}
      />
      <Button type="submit" size="large" wide busy={verify.busy}>
        <Trans>Continue</Trans>
      </Button>
    </form>
  )
}
