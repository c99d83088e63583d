import { Trans, useLingui } from '@lingui/react/macro'
import { QrCode } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { useCommand } from '@/command/useCommand'
import { useGo } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { TextField } from '@/ui/Field'
import { HoldNotice } from './HoldNotice'
import { updateRecovery, useRecovery } from './recovery'
import SlideSheet from './SlideSheet'
import { isEmail } from './validation'

/** Asks for the account of a user who forgot the password, and how they prove that it is theirs. */
export default function ForgotPage() {
  const { t } = useLingui()
  const go = useGo()
  const [email, setEmail] = useState(useRecovery().email)
  const [tried, setTried] = useState(false)
  const [sliding, setSliding] = useState(false)
  const typed = email.trim()
  const valid = isEmail(typed)
  const send = useCommand({
    run: (slideToken: string, headers) =>
      read(api.POST('/email/send', { body: { email: typed, purpose: 'reset', slideToken }, headers })),
    done: ({ id, resendAt }) => {
      updateRecovery({ email: typed, emailCodeId: id, resendAt, ticket: null })
      go.to('/resetPassword')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (valid) setSliding(true)
  }
  const continueWithPass = () => {
    setTried(true)
    if (!valid) return
    updateRecovery({ email: typed, ticket: null })
    go.to('/resetPassword', { by: 'pass' })
  }
  return (
    <form onSubmit={submit} noValidate className="mx-auto flex w-full max-w-md flex-col gap-1 pt-3">
      <h2 className="font-bold text-2xl leading-tight tracking-tight">
        <Trans>Choose a new password</Trans>
      </h2>
      <p className="mt-2 mb-4 text-muted leading-relaxed">
        <Trans>Prove that the account is yours: with a code that we send by email, or with your pass.</Trans>
      </p>
      <TextField
        label={t`Email of your account`}
        type="email"
        name="email"
        autoComplete="username"
        inputMode="email"
        value={email}
        onChange={setEmail}
        error={tried && !valid ? t`Enter a valid email address.` : ''}
      />
      <div className="flex flex-col gap-3">
        <div role="status">
          {isApiError(send.error) && send.error.code === '429' ? (
            <Notice tone="warn">
              <Trans>
                No code can be sent to this address for now. Use your pass: it doesn’t need the mailbox.
              </Trans>
            </Notice>
          ) : null}
        </div>
        <Button type="submit" size="large" wide busy={send.busy}>
          <Trans>Send code</Trans>
        </Button>
        <Button tone="plain" size="large" wide onClick={continueWithPass}>
          <QrCode size={19} aria-hidden="true" />
          <Trans>Use your pass</Trans>
        </Button>
        <HoldNotice everywhere />
      </div>
      <SlideSheet
        open={sliding}
        onClose={() => setSliding(false)}
        onToken={(token) => {
          setSliding(false)
          send.send(token)
        }}
      />
    </form>
  )
}
