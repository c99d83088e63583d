import { Trans, useLingui } from '@lingui/react/macro'
import { Eye, EyeOff, ShieldCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { seal } from '@/command/seal'
import { useCommand } from '@/command/useCommand'
import { AppLink, useGo, useQueryParam } from '@/navigation/navigation'
import { signIn } from '@/session/session'
import { Button, buttonClass } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { TextField } from '@/ui/Field'
import { looksLikeEmail } from './rules'
import { SlideSheet } from './SlideSheet'

/** E-mail and password, or the pass. */
export default function LoginPage() {
  const { t } = useLingui()
  const go = useGo()
  const next = useQueryParam('next')
  const loggedOut = useQueryParam('out') === '1'
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState(false)
  const [tried, setTried] = useState(false)
  const [sliding, setSliding] = useState(false)

  const emailError = looksLikeEmail(email.trim()) ? '' : t`Enter your e-mail address.`
  const passwordError = password === '' ? t`Enter your password.` : ''

  const login = useCommand({
    run: async (slideToken: string, headers) =>
      read(
        api.POST('/user/login', {
          body: { email: email.trim(), password: await seal(password), slideToken },
          headers,
        }),
      ),
    done: ({ token, userId }) => {
      signIn(token, userId)
      go.follow(next === '' ? '/' : next)
    },
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (emailError === '' && passwordError === '') setSliding(true)
  }

  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-6 pt-6">
      <div className="flex flex-col gap-2">
        <p className="font-bold text-3xl leading-tight tracking-tight">
          <Trans>Trade with people. Coins stay in escrow until both are done.</Trans>
        </p>
      </div>
      {loggedOut ? (
        <Notice tone="good">
          <Trans>You are logged out.</Trans>
        </Notice>
      ) : null}
      <form onSubmit={submit} noValidate className="flex flex-col gap-2">
        <TextField
          label={t`E-mail`}
          type="email"
          name="email"
          autoComplete="username"
          inputMode="email"
          value={email}
          onChange={setEmail}
          error={tried ? emailError : ''}
        />
        <TextField
          label={t`Password`}
          type={shown ? 'text' : 'password'}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={tried ? passwordError : ''}
          aside={
            <AppLink to="/forgot" className="-my-2 inline-flex min-h-11 items-center font-medium text-brand">
              <Trans>Forgot?</Trans>
            </AppLink>
          }
          suffix={
            <button
              type="button"
              onClick={() => setShown(!shown)}
              aria-label={shown ? t`Hide password` : t`Show password`}
              className="grid size-11 place-items-center rounded-full"
            >
              {shown ? <EyeOff size={20} /> : <Eye size={20} />}
            </button>
          }
        />
        <Button type="submit" size="large" wide busy={login.busy}>
          <Trans>Log in</Trans>
        </Button>
      </form>
      <div className="flex flex-col gap-3">
        <AppLink to="/register" className={buttonClass('plain', 'normal', true)}>
          <Trans>Create account</Trans>
        </AppLink>
      </div>
      <p className="flex items-start gap-2.5 text-muted text-sm leading-relaxed">
        <ShieldCheck size={18} className="mt-0.5 shrink-0 text-brand" aria-hidden="true" />
        <Trans>
          Your password is encrypted on this device before it is sent. We never ask for it in a chat.
        </Trans>
      </p>
      <SlideSheet
        open={sliding}
        onClose={() => setSliding(false)}
        onToken={(token) => {
          setSliding(false)
          login.send(token)
        }}
      />
    </div>
  )
}
