import { useState } from 'react'
import type { PassResult } from '@/api/types'
import { uuid } from '@/lib/uuid'
import { PassRequest } from './PassRequest'
import { PassRequestEnded } from './PassRequestEnded'
import type { PassPurpose } from './passChallenges'
import { initialPassState, NEW_REQUEST, type PassPanelState, type PassReturn } from './passReturn'

interface Round {
  /** The key of the attempt. Each attempt is a separate component, so no state of the previous attempt remains. */
  key: string
  begins: PassPanelState
}

/** Identification with the pass on another device (by QR code) or on this one. `onProven` receives the result. */
export default function PassPanel({
  purpose,
  returnTo,
  back,
  onProven,
  onAgain,
}: {
  purpose: PassPurpose
  /** The path to which the pass returns this browser. */
  returnTo: string
  /** The parameters with which the pass returned this browser, if it did. */
  back: PassReturn | null
  onProven: (result: PassResult) => void
  /** Starts again in another way than with a new request. */
  onAgain?: (() => void) | undefined
}) {
  const [round, setRound] = useState<Round>(() => ({ key: uuid(), begins: initialPassState(purpose, back) }))
  const begin = (begins: PassPanelState) => setRound({ key: uuid(), begins })
  if (round.begins.state === 'over') {
    return <PassRequestEnded end={round.begins.end} onAgain={onAgain ?? (() => begin(NEW_REQUEST))} />
  }
  return (
    <PassRequest
      key={round.key}
      round={round.key}
      purpose={purpose}
      returnTo={returnTo}
      kept={round.begins.challenge}
      code={round.begins.code}
      onProven={onProven}
      onOver={(end) => begin({ state: 'over', end })}
      onAgain={() => begin(NEW_REQUEST)}
    />
  )
}
