import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useFormats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import { PARTIES } from './labels'
import type { AllowedRuling, Case, Party, Ruling } from './types'

/** What a ruling does, when, and whom it charges, in words. */
export function Consequences({
  found,
  ruling,
  malicious,
}: {
  found: Case
  ruling: Ruling
  malicious: boolean
}) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-4">
      {ruling === 'REOPEN' ? (
        <>
          <li>
            <Trans>The verdict isn’t executed. No coins move.</Trans>
          </li>
          <li>
            <Trans>The appeal is open again and waits for a new verdict. Both parties are told.</Trans>
          </li>
        </>
      ) : ruling === 'REJECT' ? (
        <>
          <li>
            <Trans>The appeal ends at once, and the order continues with the time that was left.</Trans>
          </li>
          <li>
            <Trans>No coins move. Both parties see your note.</Trans>
          </li>
          <Charge found={found} loser={null} malicious={malicious} />
        </>
      ) : (
        <>
          <Coins found={found} winner={ruling} />
          <When found={found} />
          <Charge found={found} loser={ruling === 'BUYER' ? 'SELLER' : 'BUYER'} malicious={malicious} />
          <li>
            <Trans>Both parties see the verdict and your note at once.</Trans>
          </li>
        </>
      )}
    </ul>
  )
}

/** Which coins go where. The server computes it from the order as it is now. */
function Coins({ found, winner }: { found: Case; winner: Party }) {
  const { amount } = useFormats()
  const { fee, feeAsset } = found.order
  const option = found.allowed.find((one) => one.ruling === winner)
  const moves = option?.moves ?? []
  return (
    <>
      {option?.outcome === 'CANCEL' ? (
        <li>
          <Trans>The order is cancelled.</Trans>
        </li>
      ) : null}
      {moves.length === 0 ? (
        <li>
          <Trans>No coins are in escrow, so none move.</Trans>
        </li>
      ) : (
        moves.map((move) => (
          <li key={`${move.asset} ${move.to ?? ''} ${move.amount}`}>
            <Move move={move} />
          </li>
        ))
      )}
      {option?.outcome === 'RELEASE' ? (
        <li>
          <Trans>
            MEC2C keeps the fee of {amount(fee)} {feeAsset}.
          </Trans>
        </li>
      ) : null}
    </>
  )
}

function Move({ move }: { move: AllowedRuling['moves'][number] }) {
  const { amount } = useFormats()
  const coins = `${amount(move.amount)} ${move.asset}`
  const { party, to } = move
  if (to === null)
    return party === 'BUYER' ? (
      <Trans>
        <b>{coins}</b> return from escrow to the buyer’s ad.
      </Trans>
    ) : (
      <Trans>
        <b>{coins}</b> return from escrow to the seller’s ad.
      </Trans>
    )
  const address = shorten(to)
  if (party === 'BUYER')
    return (
      <Trans>
        <b>{coins}</b> go from escrow to the buyer, to <span className="whitespace-nowrap">{address}</span>.
      </Trans>
    )
  return party === 'SELLER' ? (
    <Trans>
      <b>{coins}</b> go from escrow to the seller, to <span className="whitespace-nowrap">{address}</span>.
    </Trans>
  ) : (
    <Trans>
      <b>{coins}</b> go from escrow to <span className="whitespace-nowrap">{address}</span>.
    </Trans>
  )
}

function When({ found }: { found: Case }) {
  const hours = Math.round(found.verdictDelaySeconds / 3_600)
  return (
    <li>
      <Plural
        value={hours}
        one="This happens # hour after the verdict. Until then, an officer can revoke it."
        other="This happens # hours after the verdict. Until then, an officer can revoke it."
      />
    </li>
  )
}

/** Who loses credit score. */
function Charge({ found, loser, malicious }: { found: Case; loser: Party | null; malicious: boolean }) {
  const { i18n } = useLingui()
  const { filedBy, reason } = found.summary
  // Neither party caused a voided payout.
  if (reason === 'PAYOUT_VOIDED') return null
  if (malicious && filedBy !== 'PLATFORM') {
    const initiator = i18n._(PARTIES[filedBy])
    return (
      <li>
        <Trans>{initiator}: loses all credit score for a malicious appeal.</Trans>
      </li>
    )
  }
  if (loser === null) return null
  const charged = i18n._(PARTIES[loser])
  return (
    <li>
      <Trans>{charged}: loses credit score for a lost appeal.</Trans>
    </li>
  )
}
