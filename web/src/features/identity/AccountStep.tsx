import { Trans, useLingui } from '@lingui/react/macro'
import { Check } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { refusedField } from '@/api/envelope'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { isStrongPassword, type PasswordParts, passwordParts } from '@/lib/password'
import { Button } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { SecretField } from '@/ui/SecretField'
import { EmailCodeField } from './EmailCodeField'
import type { Account } from './RegisterPage'
import { useRegistration } from './registration'
import { isEmail } from './validation'

/** Email address with its code, and a password with a checklist of its rules. */
export function AccountStep({
  account,
  onChange,
  refusal,
  onDone,
}: {
  account: Account
  onChange: (account: Account) => void
  /** The refusal of the registration, if it concerns a field of this step. */
  refusal: unknown
  onDone: () => void
}) {
  const { t } = useLingui()
  const { resendAt } = useRegistration()
  const [again, setAgain] = useState(account.password)
  const [tried, setTried] = useState(false)
  const email = account.email.trim()
  const wrong = {
    email: isEmail(email) ? '' : t`Enter a valid email address.`,
    code: /^\d{6}$/.test(account.emailCode) ? '' : t`Enter the 6-digit code from the email.`,
    password: isStrongPassword(account.password) ? '' : t`Your password doesn’t meet all requirements yet.`,
    again: again === account.password ? '' : t`The passwords don’t match.`,
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
    if (Object.values(wrong).every((text) => text === '')) verify.send(account.emailCode)
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
      />
      <SecretField
        label={t`Password`}
        name="new-password"
        autoComplete="new-password"
        maxLength={64}
        value={account.password}
        onChange={(password) => change({ ...account, password })}
        error={faultOf('password', wrong.password)}
      />
      <PasswordRules parts={passwordParts(account.password)} />
      <SecretField
        label={t`Confirm password`}
        autoComplete="new-password"
        maxLength={64}
        value={again}
        onChange={setAgain}
        error={tried ? wrong.again : ''}
      />
      <Button type="submit" size="large" wide busy={verify.busy}>
        <Trans>Continue</Trans>
      </Button>
    </form>
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
