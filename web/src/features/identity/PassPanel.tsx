import { useState } from 'react'
import type { PassResult } from '@/api/types'
import { uuid } from '@/lib/uuid'
import type { PassPurpose } from './challenge'
import { PassOver } from './PassOver'
import { PassRequest } from './PassRequest'
import { beginning, FRESH, type PassBeginning, type PassReturn } from './passReturn'

interface Round {
  /** Each round is a component of its own, with nothing left of the one before. */
  key: string
  begins: PassBeginning
}

/** The pass: scanned from another device, or opened on this one. Whoever asked for it goes on with what it proved. */
export function PassPanel({
  purpose,
  returnTo,
  back,
  onProven,
}: {
  purpose: PassPurpose
  /** The path to which the pass sends this browser back. */
  returnTo: string
  /** What the pass sent this browser back with, if it did. */
  back: PassReturn | null
  onProven: (result: PassResult) => void
}) {
  const [round, setRound] = useState<Round>(() => ({ key: uuid(), begins: beginning(purpose, back) }))
  const begin = (begins: PassBeginning) => setRound({ key: uuid(), begins })
  if (round.begins.state === 'over') {
    return <PassOver end={round.begins.end} onAgain={() => begin(FRESH)} />
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
      onAgain={() => begin(FRESH)}
    />
  )
}
