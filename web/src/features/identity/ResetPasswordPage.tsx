import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, KeyRound, Mail } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, completed } from '@/api/client'
import { refusedField } from '@/api/envelope'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import PassPanel from '@/components/pass/PassPanel'
import { isApprovalRefused } from '@/components/pass/passChallenges'
import { usePassReturn } from '@/components/pass/usePassReturn'
import { AppLink, hrefTo, useGo, useQueryParam } from '@/navigation/navigation'
import { clearSession } from '@/session/session'
import { Button, buttonClass } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { StateView } from '@/ui/State'
import { EmailCodeField } from './EmailCodeField'
import { isComplete, NewPasswordFields, NO_PASSWORD } from './NewPasswordFields'
import { forgetRecovery, updateRecovery, useRecovery } from './recovery'
import { isCode } from './validation'

/** Sets a new password for a user who has shown, by a code or with the pass, that the account is theirs. */
export default function ResetPasswordPage() {
  const byPass = useQueryParam('by') === 'pass'
  const [back, putBackAside] = usePassReturn('/resetPassword', { by: 'pass' })
  const go = useGo()
  const client = useQueryClient()
  const { email, ticket } = useRecovery()
  const [done, setDone] = useState(false)
  const finish = () => {
    forgetRecovery()
    // The reset has ended all sessions of the account. Whoever logs in next must not see what this browser has read before.
    clearSession()
    client.clear()
    setDone(true)
  }
  if (done) return <Done />
  if (back === null && email === '' && ticket === null) return <StartAgain />
  if ((byPass || back !== null) && ticket === null) {
    return (
      <div className="mx-auto flex w-full max-w-md flex-col gap-6 pt-3">
        <Heading email={email} />
        <PassPanel
          purpose={`reset ${email}`}
          returnTo={hrefTo('/resetPassword', { by: 'pass' })}
          back={back}
          // A tab that the pass has opened does not know the address.
          onAgain={email === '' ? () => go.replace('/forgot') : undefined}
          onProven={(result) => {
            putBackAside()
            updateRecovery({ ticket: result.ticket })
          }}
        />
      </div>
    )
  }
  return <ResetForm email={email} ticket={byPass ? ticket : null} onDone={finish} />
}

function Done() {
  return (
    <StateView
      live="status"
      icon={CircleCheck}
      title={<Trans>Password reset</Trans>}
      text={
        <Trans>
          You’re logged out on all devices, and your ads are offline. For 24 hours, you can’t withdraw coins,
          publish ads, go online, or place or accept orders. Active orders continue; to release coins, you
          also need your pass.
        </Trans>
      }
      action={
        <AppLink to="/login" className={buttonClass('brand', 'normal', false)}>
          <Trans>Log in</Trans>
        </AppLink>
      }
    />
  )
}

/** This tab knows neither the address nor a request to the pass. */
function StartAgain() {
  return (
    <StateView
      icon={KeyRound}
      title={<Trans>Tell us your email address first</Trans>}
      text={<Trans>Then you can choose a new password with a code or with your pass.</Trans>}
      action={
        <AppLink to="/forgot" className={buttonClass('brand', 'normal', false)}>
          <Trans>Enter your email address</Trans>
        </AppLink>
      }
    />
  )
}

/** The account that is meant. After a return from the pass in another tab, its address is unknown. */
function Heading({ email }: { email: string }) {
  return (
    <div>
      <h2 className="font-bold text-2xl leading-tight tracking-tight">
        <Trans>Choose a new password</Trans>
      </h2>
      {email === '' ? null : (
        <p className="mt-2 flex flex-wrap items-baseline justify-between gap-x-3 text-muted">
          <span className="min-w-0 [overflow-wrap:anywhere]">{email}</span>
          <AppLink to="/forgot" className="-my-2 inline-flex min-h-11 items-center font-medium text-brand">
            <Trans>Change</Trans>
          </AppLink>
        </p>
      )}
    </div>
  )
}

/** Sets the new password. Without an approval through the pass, the code that was sent by email proves the account. */
function ResetForm({ email, ticket, onDone }: { email: string; ticket: string | null; onDone: () => void }) {
  const { t } = useLingui()
  const { emailCodeId, resendAt } = useRecovery()
  const [code, setCode] = useState('')
  const [fresh, setFresh] = useState(NO_PASSWORD)
  const [tried, setTried] = useState(false)
  const reset = useCommand({
    run: async (
      input: { ticket: string | null; code: string; id: string; password: string },
      headers,
      seal,
    ) => {
      const newPassword = await seal(input.password)
      return input.ticket === null
        ? completed(
            api.POST('/user/resetPassword', {
              body: { email, emailCode: input.code, emailCodeId: input.id, newPassword },
              headers,
            }),
          )
        : completed(
            api.POST('/user/unBindResetPassword', { body: { ticket: input.ticket, newPassword }, headers }),
          )
    },
    done: onDone,
    refused: (error) => {
      if (refusedField(error) !== null) return true
      if (isApprovalRefused(error)) updateRecovery({ ticket: null })
      return false
    },
  })
  const field = refusedField(reset.error)
  const said = useErrorText(field === null ? null : reset.error, 'command')
  const proved = ticket !== null || isCode(code)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (proved && isComplete(fresh)) reset.send({ ticket, code, id: emailCodeId, password: fresh.password })
  }
  return (
    <form onSubmit={submit} noValidate className="mx-auto flex w-full max-w-md flex-col gap-1 pt-3">
      <Heading email={email} />
      <div className="mt-3 mb-4">
        {ticket === null ? (
          <Notice tone="info" icon={<Mail size={18} aria-hidden="true" />}>
            <Trans>If this address has an account, a 6-digit code is on its way to it.</Trans>
          </Notice>
        ) : (
          <Notice tone="good" icon={<CircleCheck size={18} aria-hidden="true" />}>
            <Trans>You’ve approved this with the pass.</Trans>
          </Notice>
        )}
      </div>
      {ticket === null ? (
        <EmailCodeField
          email={email}
          purpose="reset"
          value={code}
          onChange={(typed) => {
            setCode(typed)
            reset.clear()
          }}
          resendAt={resendAt}
          onSent={(id, next) => updateRecovery({ emailCodeId: id, resendAt: next })}
          error={
            field === 'emailCode' ? said : tried && !proved ? t`Enter the 6-digit code from the email.` : ''
          }
        />
      ) : null}
      <NewPasswordFields
        label={t`New password`}
        value={fresh}
        onChange={(typed) => {
          setFresh(typed)
          reset.clear()
        }}
        tried={tried}
        refused={field === 'newPassword' ? said : ''}
      />
      <Button type="submit" size="large" wide busy={reset.busy}>
        <Trans>Reset password</Trans>
      </Button>
      {ticket === null ? (
        <AppLink
          to="/resetPassword"
          query={{ by: 'pass' }}
          className="mt-1 inline-flex min-h-11 items-center justify-center font-medium text-brand"
        >
          <Trans>No access to your mailbox? Use your pass</Trans>
        </AppLink>
      ) : null}
    </form>
  )
}
