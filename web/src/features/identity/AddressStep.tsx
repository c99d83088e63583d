import { Trans } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { refusedField } from '@/api/envelope'
import type { PassResult } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { isApprovalRefused } from '@/components/pass/passChallenges'
import {
  isAddressRefusal,
  type ReceivingAddress,
  ReceivingAddressFields,
  receivingAddressFault,
} from '@/components/ReceivingAddressFields'
import { shorten } from '@/lib/text'
import { useGo } from '@/navigation/navigation'
import { signIn } from '@/session/session'
import { Button } from '@/ui/Button'
import { Card, Line } from '@/ui/Card'
import { Problem } from '@/ui/Problem'
import type { Account } from './RegisterPage'
import { TermsSheet } from './TermsSheet'

/** The USDT receiving address, and consent to the terms. */
export function AddressStep({
  account,
  proof,
  receiving,
  onReceiving,
  accepted,
  onAccepted,
  onBack,
  onRefused,
  onTicketRefused,
}: {
  account: Account
  proof: PassResult
  receiving: ReceivingAddress
  onReceiving: (receiving: ReceivingAddress) => void
  accepted: boolean
  onAccepted: (accepted: boolean) => void
  onBack: () => void
  /** Called if the refusal concerns the previous step. */
  onRefused: (error: unknown) => void
  /** Called if the server no longer accepts what the pass has proved. */
  onTicketRefused: () => void
}) {
  const go = useGo()
  const [reading, setReading] = useState(false)
  const [tried, setTried] = useState(false)
  const register = useCommand({
    run: async (input: ReceivingAddress, headers, seal) =>
      read(
        api.POST('/user/register', {
          body: {
            ticket: proof.ticket ?? '',
            email: account.email.trim(),
            emailCode: account.emailCode,
            emailCodeId: account.emailCodeId,
            password: await seal(account.password),
            receivingAddress: input.address.trim(),
            chainType: input.chainType,
            termsAccepted: true,
          },
          headers,
        }),
      ),
    done: ({ token, userId }) => {
      signIn(token, userId)
      go.replace('/personalCenter', { welcome: '1' })
    },
    refused: (error) => {
      const before = ['email', 'emailCode', 'password'].includes(refusedField(error) ?? '')
      if (before) onRefused(error)
      if (isApprovalRefused(error)) onTicketRefused()
      return before || isAddressRefusal(error)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (receivingAddressFault(receiving) === null && accepted) register.send(receiving)
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-2">
      <h2 className="font-bold text-2xl leading-tight tracking-tight">
        <Trans>Where you get paid</Trans>
      </h2>
      <p className="mb-2 text-muted leading-relaxed">
        <Trans>When you sell for USDT, buyers pay directly to this address.</Trans>
      </p>
      <ReceivingAddressFields
        value={receiving}
        onChange={(value) => {
          onReceiving(value)
          register.clear()
        }}
        tried={tried}
        refused={register.error}
      />
      <Card>
        <dl>
          <Line label={<Trans>ME ID</Trans>}>{shorten(proof.meId)}</Line>
          <Line label={<Trans>Bound address</Trans>}>{shorten(proof.boundAddress)}</Line>
        </dl>
      </Card>
      <div className="flex min-h-13 items-center gap-3 py-2">
        <input
          id="terms"
          type="checkbox"
          checked={accepted}
          onChange={(event) => onAccepted(event.target.checked)}
          className="size-5 shrink-0 accent-brand-fill"
        />
        <div className="leading-snug">
          <label htmlFor="terms" className="inline-flex min-h-11 items-center">
            <Trans>I accept the user agreement and the privacy policy.</Trans>
          </label>{' '}
          <button
            type="button"
            onClick={() => setReading(true)}
            className="inline-flex min-h-11 items-center font-medium text-brand underline"
          >
            <Trans>Read the terms</Trans>
          </button>
        </div>
      </div>
      <TermsSheet
        open={reading}
        onClose={() => setReading(false)}
        onAccept={() => {
          onAccepted(true)
          setReading(false)
        }}
      />
      {tried && !accepted ? (
        <Problem>
          <Trans>Accept the terms to continue.</Trans>
        </Problem>
      ) : null}
      <div className="mt-2 flex gap-2.5">
        <Button tone="plain" size="large" onClick={onBack}>
          <Trans>Back</Trans>
        </Button>
        <Button type="submit" size="large" wide busy={register.busy}>
          <Trans>Create account</Trans>
        </Button>
      </div>
    </form>
  )
}
