import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { PassResult } from '@/api/types'
import PassPanel from '@/components/pass/PassPanel'
import { usePassReturn } from '@/components/pass/usePassReturn'
import { useGo } from '@/navigation/navigation'
import { signIn } from '@/session/session'
import { WizardSteps } from '@/ui/Steps'
import { toast } from '@/ui/toast'
import { AccountStep } from './AccountStep'
import { AddressStep } from './AddressStep'
import { beginRegistration, forgetRegistration, requireProof, useRegistration } from './registration'

export interface Account {
  email: string
  emailCode: string
  emailCodeId: string
  password: string
}

/** Registration in three steps: identity (the pass), login (email and password), receiving address. */
export default function RegisterPage() {
  const { t } = useLingui()
  const go = useGo()
  const { result, email, emailCode, emailCodeId, at, receiving, accepted } = useRegistration()
  const [back] = usePassReturn('/register')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<unknown>(null)
  const account: Account = { email, emailCode, emailCodeId, password }
  const step = result === null ? 0 : at === 'account' ? 1 : 2
  const goTo = (next: 'account' | 'address') => {
    useRegistration.setState({ at: next })
    scrollTo({ top: 0 })
  }

  // Discard everything when the user leaves, because the pass result can be used only once.
  useEffect(() => forgetRegistration, [])

  const proven = (found: PassResult) => {
    if (found.session === null) {
      beginRegistration(found)
      return
    }
    signIn(found.session.token, found.session.userId)
    toast(t`Welcome back. You already have an account, so we logged you in.`)
    go.replace('/')
  }
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-6 pt-3">
      <WizardSteps at={step} names={[t`Pass`, t`Account`, t`Address`]} label={t`Steps`} />
      {result === null ? (
        <>
          <div>
            <h2 className="font-bold text-2xl leading-tight tracking-tight">
              <Trans>Verify your identity</Trans>
            </h2>
            <p className="mt-2 text-muted leading-relaxed">
              <Trans>
                Your pass shares your ME ID, MEC address and verification level with us. The coins you buy and
                any coins returned to you go only to that address.
              </Trans>
            </p>
          </div>
          <PassPanel purpose="register" returnTo="/register" back={back} onProven={proven} />
        </>
      ) : step === 1 ? (
        <AccountStep
          account={account}
          ticket={result.ticket}
          onChange={({ password: typed, ...kept }) => {
            setRefusal(null)
            setPassword(typed)
            useRegistration.setState(kept)
          }}
          refusal={refusal}
          onDone={() => goTo('address')}
          onTicketRefused={requireProof}
        />
      ) : (
        <AddressStep
          account={account}
          proof={result}
          receiving={receiving}
          onReceiving={(address) => useRegistration.setState({ receiving: address })}
          accepted={accepted}
          onAccepted={(agreed) => useRegistration.setState({ accepted: agreed })}
          onBack={() => goTo('account')}
          onRefused={(error) => {
            setRefusal(error)
            goTo('account')
          }}
          onTicketRefused={requireProof}
        />
      )}
    </div>
  )
}
