import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { refusedField } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { UserInfo } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { PassProof } from '@/components/pass/PassProof'
import { isApprovalRefused } from '@/components/pass/passChallenges'
import { usePassReturn } from '@/components/pass/usePassReturn'
import { isWrongSecurityPassword, SecurityPasswordField } from '@/components/SecurityPasswordField'
import { useIsAhead } from '@/lib/clock'
import { useGo } from '@/navigation/navigation'
import { ActionBar } from '@/ui/ActionBar'
import { Button } from '@/ui/Button'
import { Card, Line } from '@/ui/Card'
import { TextField } from '@/ui/Field'
import { toast } from '@/ui/toast'
import { EmailCodeField } from './EmailCodeField'
import { HoldNotice } from './HoldNotice'
import { isWrongLoginPassword, LoginPasswordField } from './LoginPasswordField'
import { useEntered } from './useEntered'
import { isCode, isEmail } from './validation'
import { WithUser } from './WithUser'

/** Changes the email address, which the new mailbox confirms. */
export default function UpdateEmailPage() {
  return <WithUser>{(user) => <EmailForm user={user} />}</WithUser>
}

interface Change {
  email: string
  code: string
  secret: string
  ticket: string | null
}

function EmailForm({ user }: { user: UserInfo }) {
  const { t } = useLingui()
  const go = useGo()
  const [back, putBackAside] = usePassReturn('/updateEmail')
  const [{ email, resendAt, ticket }, update, forget] = useEntered('email')
  const [code, setCode] = useState('')
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const secured = user.hasSecurityPassword
  // During a hold, the login password proves nothing: whoever has a stolen mailbox can reset it.
  const needsPass = useIsAhead(user.holdUntil) && !secured
  const typed = email.trim()
  const save = useCommand({
    run: async (input: Change, headers, seal) =>
      read(
        api.POST('/user/updateInfo', {
          body: {
            email: input.email,
            emailCode: input.code,
            ...(secured
              ? { securityCode: await seal(input.secret) }
              : { password: await seal(input.secret) }),
            ...(input.ticket === null ? {} : { passTicket: input.ticket }),
          },
          headers,
        }),
      ),
    touches: [keys.me],
    done: () => {
      forget()
      toast(t`Email changed`)
      go.follow('/personalCenter')
    },
    refused: (error) => {
      if (isApprovalRefused(error)) update({ ticket: null })
      return isWrongSecurityPassword(error) || isWrongLoginPassword(error) || refusedField(error) !== null
    },
  })
  const field = refusedField(save.error)
  const said = useErrorText(field === null ? null : save.error, 'command')
  const valid = isEmail(typed)
  const complete = isCode(code)
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value)
    save.clear()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!valid || !complete || secret === '' || (needsPass && ticket === null)) return
    save.send({ email: typed, code, secret, ticket })
  }
  return (
    <form onSubmit={submit} noValidate className="mx-auto flex w-full max-w-md flex-col gap-1 pt-3">
      <Card className="mb-3">
        <dl>
          <Line label={t`Current`}>{user.email}</Line>
        </dl>
      </Card>
      <TextField
        label={t`New email`}
        type="email"
        name="email"
        autoComplete="email"
        inputMode="email"
        value={email}
        onChange={edit((address) => update({ email: address }))}
        error={field === 'email' ? said : tried && !valid ? t`Enter a valid email address.` : ''}
      />
      <EmailCodeField
        email={valid ? typed : ''}
        purpose="security"
        value={code}
        onChange={edit(setCode)}
        resendAt={resendAt}
        onSent={(_, next) => update({ resendAt: next })}
        error={
          field === 'emailCode' ? said : tried && !complete ? t`Enter the 6-digit code from the email.` : ''
        }
        onMissingEmail={() => setTried(true)}
      />
      {secured ? (
        <SecurityPasswordField value={secret} onChange={setSecret} tried={tried} command={save} />
      ) : (
        <LoginPasswordField
          label={t`Login password`}
          value={secret}
          onChange={setSecret}
          tried={tried}
          command={save}
          hint={t`Confirms it’s you.`}
        />
      )}
      {needsPass ? (
        <div className="pb-4">
          <PassProof
            purpose="security"
            returnTo="/updateEmail"
            back={back}
            ticket={ticket}
            missing={tried && ticket === null}
            onTicket={(approved) => {
              putBackAside()
              update({ ticket: approved })
            }}
          />
        </div>
      ) : null}
      <HoldNotice />
      <ActionBar nav>
        <Button type="submit" size="large" wide busy={save.busy}>
          <Trans>Change email</Trans>
        </Button>
      </ActionBar>
    </form>
  )
}
