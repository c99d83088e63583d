import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { useCommand } from '@/command/useCommand'
import { isApprovalRefused } from '@/components/pass/passChallenges'
import { useRemaining } from '@/ui/Countdown'
import { TextField } from '@/ui/Field'
import { toast } from '@/ui/toast'
import SlideSheet from './SlideSheet'

/** A six-digit email code, with the button that sends it: to a user with a session at once, otherwise after a slide check. */
export function EmailCodeField({
  email,
  purpose,
  value,
  onChange,
  resendAt,
  onSent,
  error,
  onMissingEmail,
  ticket = null,
  onTicketRefused,
}: {
  /** Empty while the address is invalid; null for the address of the user's account. */
  email: string | null
  purpose: 'register' | 'reset' | 'security'
  value: string
  onChange: (code: string) => void
  /** When another code can be sent; null before the first one. */
  resendAt: string | null
  /** Receives the id of the code, which the command must include, and when another one can be sent. */
  onSent: (id: string, resendAt: string) => void
  error: string
  onMissingEmail?: () => void
  /** What proves to the server who registers. Strangers cannot use up the codes of whoever sends it. */
  ticket?: string | null
  onTicketRefused?: () => void
}) {
  const { t } = useLingui()
  const [sliding, setSliding] = useState(false)
  const send = useCommand({
    run: (slideToken: string | null, headers) =>
      read(api.POST('/email/send', { body: { email: email ?? '', purpose, slideToken, ticket }, headers })),
    refused: (error) => {
      if (isApprovalRefused(error)) onTicketRefused?.()
      return false
    },
    done: (sent) => {
      onSent(sent.id, sent.resendAt)
      toast(t`Verification code sent. Check your email.`)
    },
  })
  return (
    <>
      <TextField
        label={t`Email verification code`}
        name="one-time-code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        value={value}
        onChange={(typed) => onChange(typed.replace(/\D/g, ''))}
        error={error}
        suffix={
          <SendButton
            busy={send.busy}
            resendAt={resendAt}
            onClick={() => {
              if (email === '') onMissingEmail?.()
              else if (purpose === 'security') send.send(null)
              else setSliding(true)
            }}
          />
        }
      />
      <SlideSheet
        open={sliding}
        onClose={() => setSliding(false)}
        onToken={(token) => {
          setSliding(false)
          send.send(token)
        }}
      />
    </>
  )
}

function SendButton({
  busy,
  resendAt,
  onClick,
}: {
  busy: boolean
  resendAt: string | null
  onClick: () => void
}) {
  const left = useRemaining(resendAt ?? '1970-01-01T00:00:00Z')
  const waiting = resendAt !== null && !left.over
  return (
    <button
      type="button"
      disabled={busy || waiting}
      onClick={onClick}
      className="min-h-11 rounded-xl px-3 font-semibold text-brand disabled:text-muted"
    >
      {waiting ? left.text : resendAt === null ? <Trans>Send code</Trans> : <Trans>Send again</Trans>}
    </button>
  )
}
