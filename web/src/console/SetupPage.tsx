import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { completed, read } from '@/api/createApi'
import { useErrorText } from '@/command/useErrorText'
import { isStrongPassword } from '@/lib/password'
import { navigate } from '@/navigation/location'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { CopyButton } from '@/ui/CopyButton'
import { Problem } from '@/ui/Problem'
import { QrCode } from '@/ui/QrCode'
import { SecretField } from '@/ui/SecretField'
import { toast } from '@/ui/toast'
import { CodeField } from './CodeField'
import { api, useOfficerCommand } from './client'
import { codeDigits } from './codeDigits'
import { Entrance } from './Entrance'
import { useLabels } from './labels'
import { Loaded } from './Page'
import type { EnrollmentInfo } from './types'

/** The page of a setup link: a new officer sets a password and a second factor. */
export function SetupPage({ token }: { token: string }) {
  const shown = useQuery({
    queryKey: ['setup', token],
    queryFn: () => read(api.POST('/console/enrollment/begin', { body: { token } })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Entrance title={<Trans>Set up your account</Trans>}>
      <Loaded query={shown}>{(info) => <SetupForm token={token} info={info} />}</Loaded>
    </Entrance>
  )
}

function SetupForm({ token, info }: { token: string; info: EnrollmentInfo }) {
  const { t } = useLingui()
  const labels = useLabels()
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [code, setCode] = useState('')
  const [tried, setTried] = useState(false)
  const enroll = useOfficerCommand({
    run: async (input: { password: string; code: string }, headers, seal) =>
      completed(
        api.POST('/console/enrollment', {
          body: { token, newPassword: await seal(input.password), code: input.code },
          headers,
        }),
      ),
    done: () => {
      toast(t`Your account is ready. Sign in with the next code.`)
      navigate('/console', true)
    },
    refused: () => true,
  })
  const failure = useErrorText(enroll.error, 'command')
  const strong = isStrongPassword(password)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const digits = codeDigits(code)
    if (strong && password === again && digits !== '') enroll.send({ password, code: digits })
  }
  const rules = t`8 to 32 characters with an uppercase letter, a lowercase letter, a digit and a symbol.`
  const { name, email, secret } = info
  const role = labels.role(info.role)
  return (
    <>
      <p>
        <Trans>
          {name} ({email}), {role}
        </Trans>
      </p>
      <ol className="flex flex-col gap-5">
        <li className="flex flex-col gap-3">
          <h2 className="font-semibold">
            <Trans>1. Add this account to an authenticator app</Trans>
          </h2>
          <QrCode text={info.uri} label={t`QR code for your authenticator app`} />
          <p className="flex items-center gap-1 text-sm">
            <span className="[overflow-wrap:anywhere]">{secret}</span>
            <CopyButton text={secret} what={t`Secret`} />
          </p>
        </li>
        <li>
          <h2 className="mb-3 font-semibold">
            <Trans>2. Choose a password and enter the current code</Trans>
          </h2>
          <form onSubmit={submit} noValidate className="flex flex-col gap-1">
            <SecretField
              label={t`New password`}
              autoComplete="new-password"
              value={password}
              onChange={setPassword}
              hint={rules}
              error={tried && !strong ? rules : ''}
            />
            <SecretField
              label={t`Repeat the password`}
              autoComplete="new-password"
              value={again}
              onChange={setAgain}
              error={tried && password !== again ? t`The passwords don’t match.` : ''}
            />
            <CodeField value={code} onChange={setCode} tried={tried} />
            <Problem className="pb-2">{failure}</Problem>
            <Button type="submit" size="large" wide busy={enroll.busy}>
              <Trans>Finish setup</Trans>
            </Button>
          </form>
        </li>
      </ol>
      <Notice tone="warn">
        <Trans>This link works once. No one else can see the secret after you finish.</Trans>
      </Notice>
    </>
  )
}
