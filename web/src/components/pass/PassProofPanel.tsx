import { Trans } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { Problem } from '@/ui/Problem'
import PassPanel from './PassPanel'
import { type PassPurpose, pendingChallenge } from './passChallenges'
import type { PassReturn } from './passReturn'

export interface PassProofProps {
  purpose: PassPurpose
  /** The path to which the pass returns this browser. */
  returnTo: string
  /** The parameters with which the pass returned this browser, if it did. */
  back: PassReturn | null
  ticket: string | null
  /** Whether the user has tried to send the command without an approval. */
  missing: boolean
  onTicket: (ticket: string) => void
}

/** The user's approval of a command through the pass. `onTicket` receives what proves it. */
export default function PassProofPanel({
  purpose,
  returnTo,
  back,
  ticket,
  missing,
  onTicket,
}: PassProofProps) {
  const [asking, setAsking] = useState(() => back !== null || pendingChallenge(purpose) !== null)
  if (ticket !== null) {
    return (
      <Notice tone="good" icon={<ShieldCheck size={18} aria-hidden="true" />}>
        <Trans>You’ve approved this with the pass.</Trans>
      </Notice>
    )
  }
  return (
    <div className="flex flex-col gap-3">
      {asking ? (
        <PassPanel
          purpose={purpose}
          returnTo={returnTo}
          back={back}
          onProven={(result) => {
            if (result.ticket !== null) onTicket(result.ticket)
          }}
        />
      ) : (
        <Button tone="plain" size="large" wide onClick={() => setAsking(true)}>
          <Trans>Approve with the pass</Trans>
        </Button>
      )}
      {missing ? (
        <Problem>
          <Trans>Approve it with the pass first.</Trans>
        </Problem>
      ) : null}
    </div>
  )
}
