import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { read } from '@/api/createApi'
import { useErrorText } from '@/command/useErrorText'
import { Button } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { Problem } from '@/ui/Problem'
import { SecretField } from '@/ui/SecretField'
import { CodeField } from './CodeField'
import { api, ME, useOfficerCommand } from './client'
import { codeDigits } from './codeDigits'
import { Entrance } from './Entrance'

/** The sign-in with password and code in one form. */
export function SignInPage() {
  const { t } = useLingui()
  const client = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const signIn = useOfficerCommand({
    run: async (input: { email: string; code: string; password: string }, headers, seal) =>
      read(
        api.POST('/console/sign-in', {
          body: { email: input.email, password: await seal(input.password), code: input.code },
          headers,
        }),
      ),
    done: () => void client.invalidateQueries({ queryKey: ME }),
    refused: () => {
      // A code works once.
      setCode('')
      return true
    },
  })
  const failure = useErrorText(signIn.error, 'command')
  const digits = codeDigits(code)
  const complete = email.trim() !== '' && password !== '' && digits !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (complete) signIn.send({ email: email.trim(), code: digits, password })
  }
  const missing = (wrong: boolean, text: string) => (tried && wrong ? text : '')
  return (
    <Entrance title={<Trans>Officer sign-in</Trans>}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-1">
        <TextField
          label={t`Email`}
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          error={missing(email.trim() === '', t`Enter your email address.`)}
          autoFocus
        />
        <SecretField
          label={t`Password`}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={missing(password === '', t`Enter your password.`)}
        />
        <CodeField
          value={code}
          onChange={setCode}
          hint={t`Six digits. Each code works once.`}
          tried={tried}
        />
        <Problem className="pb-2">{failure}</Problem>
        <Button type="submit" size="large" wide busy={signIn.busy}>
          <Trans>Sign in</Trans>
        </Button>
      </form>
      <p className="flex items-start gap-2.5 text-muted text-sm leading-relaxed">
        <ShieldCheck size={18} className="mt-0.5 shrink-0 text-brand" aria-hidden="true" />
        <Trans>Everything you do and view here is recorded with your name.</Trans>
      </p>
    </Entrance>
  )
}
