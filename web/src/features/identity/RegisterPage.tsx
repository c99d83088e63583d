import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { PassResult } from '@/api/types'
import { PassPanel } from '@/components/pass/PassPanel'
import { usePassReturn } from '@/components/pass/usePassReturn'
import type { ReceivingAddress } from '@/components/ReceivingAddressFields'
import { useGo } from '@/navigation/navigation'
import { signIn } from '@/session/session'
import { WizardSteps } from '@/ui/Steps'
import { toast } from '@/ui/toast'
import { AccountStep } from './AccountStep'
import { AddressStep } from './AddressStep'
import { usePassResult } from './passResult'

export interface Account {
  email: string
  emailCode: string
  /** Proves that this browser requested the code. */
  emailCodeId: string
  password: string
}

/** Registration in three steps: identity (the pass), login (email and password), receiving address. */
export default function RegisterPage() {
  const { t } = useLingui()
  const go = useGo()
  const { result } = usePassResult()
  const [back] = usePassReturn('/register')
  const [account, setAccount] = useState<Account>({ email: '', emailCode: '', emailCodeId: '', password: '' })
  const [at, setAt] = useState<'account' | 'address'>('account')
  const [receiving, setReceiving] = useState<ReceivingAddress>({ chainType: '', address: '' })
  const [accepted, setAccepted] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  const step = result === null ? 0 : at === 'account' ? 1 : 2

  // Discard the pass result when the user leaves, because it can be used only once.
  useEffect(() => () => usePassResult.setState({ result: null }), [])

  const proven = (found: PassResult) => {
    if (found.session === null) {
      usePassResult.setState({ result: found })
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
          onChange={(changed) => {
            setRefusal(null)
            setAccount(changed)
          }}
          refusal={refusal}
          onDone={() => {
            setAt('address')
            scrollTo({ top: 0 })
          }}
        />
      ) : (
        <AddressStep
          account={account}
          proof={result}
          receiving={receiving}
          onReceiving={setReceiving}
          accepted={accepted}
          onAccepted={setAccepted}
          onBack={() => setAt('account')}
          onRefused={(error) => {
            setRefusal(error)
            setAt('account')
            scrollTo({ top: 0 })
          }}
        />
      )}
    </div>
  )
}
