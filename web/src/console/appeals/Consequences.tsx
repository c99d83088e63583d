import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { movedText, movesNft, type Traded } from '@/api/nftName'
import { useFormats } from '@/i18n/format'
import { shorten } from '@/lib/text'
import { PARTIES } from './labels'
import type { Case, Movement, Party, Ruling } from './types'

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
            <Trans>The verdict isn’t executed. Nothing moves.</Trans>
          </li>
          <li>
            <Trans>The appeal is open again and waits for a new verdict. Both parties are told.</Trans>
          </li>
        </>
      ) : ruling === 'REJECT' ? (
        <>
          <Rejection found={found} />
          <li>
            <Trans>Both parties see your note.</Trans>
          </li>
          <Charge found={found} ruling={ruling} malicious={malicious} />
        </>
      ) : (
        <>
          <Moves found={found} winner={ruling} />
          <When found={found} />
          <Charge found={found} ruling={ruling} malicious={malicious} />
          <li>
            <Trans>Both parties see the verdict and your note at once.</Trans>
          </li>
        </>
      )}
    </ul>
  )
}

/** What the end of the appeal does with the order and its escrow. */
function Rejection({ found }: { found: Case }) {
  const movements = movementsOf(found, 'REJECT')
  if (movements.length === 0)
    return (
      <>
        <li>
          <Trans>The appeal ends at once, and the order continues with the time that was left.</Trans>
        </li>
        <li>
          <Trans>Nothing moves.</Trans>
        </li>
      </>
    )
  return (
    <>
      <li>
        <Trans>The appeal ends at once. Both deposits are in escrow, so they’re released at once.</Trans>
      </li>
      <Movements movements={movements} about={found.order} />
    </>
  )
}

/** What a verdict moves. */
function Moves({ found, winner }: { found: Case; winner: Party }) {
  const option = found.allowed.find((one) => one.ruling === winner)
  const movements = movementsOf(found, winner)
  return (
    <>
      {option?.outcome === 'CANCEL' ? (
        <li>
          <Trans>The order is cancelled.</Trans>
        </li>
      ) : null}
      {movements.length === 0 ? (
        <li>
          <Trans>Nothing is in escrow, so nothing moves.</Trans>
        </li>
      ) : (
        <Movements movements={movements} about={found.order} />
      )}
    </>
  )
}

/** The server computes the movements from the order as it is now, with the function that executes the decision. */
function movementsOf(found: Case, ruling: Ruling): readonly Movement[] {
  return found.allowed.find((one) => one.ruling === ruling)?.movements ?? []
}

function Movements({ movements, about }: { movements: readonly Movement[]; about: Traded }) {
  return movements.map((movement) => (
    <li key={`${movement.kind} ${movement.asset} ${movement.party}`}>
      <MovementText movement={movement} about={about} />
    </li>
  ))
}

function MovementText({ movement, about }: { movement: Movement; about: Traded }) {
  const { amount } = useFormats()
  const what = movedText(amount, about, movement.asset, movement.amount)
  const buyer = movement.party === 'BUYER'
  switch (movement.kind) {
    case 'PAYOUT':
      return <Payout what={what} buyer={buyer} address={shorten(movement.address ?? '')} />
    case 'BACK_TO_ADVERT':
      return buyer ? (
        <Trans>
          <b>{what}</b> returns from escrow to the buyer’s ad.
        </Trans>
      ) : (
        <Trans>
          <b>{what}</b> returns from escrow to the seller’s ad.
        </Trans>
      )
    case 'TEMPORARY_BALANCE':
      if (movesNft(about, movement.asset))
        return buyer ? (
          <Trans>
            <b>{what}</b> stays in custody for the buyer.
          </Trans>
        ) : (
          <Trans>
            <b>{what}</b> stays in custody for the seller.
          </Trans>
        )
      return buyer ? (
        <Trans>
          <b>{what}</b> goes from escrow to the buyer’s temporary balance, because it doesn’t exceed the
          network fee.
        </Trans>
      ) : (
        <Trans>
          <b>{what}</b> goes from escrow to the seller’s temporary balance, because it doesn’t exceed the
          network fee.
        </Trans>
      )
    case 'FEE':
      return <Trans>MEC2C keeps the fee of {what}.</Trans>
    case 'NETWORK_FEE':
      return <Trans>MEC2C keeps the network fee of {what}.</Trans>
    case 'PREPAID_FEE':
      return <Trans>MEC2C keeps the fee of {what}, which the seller has prepaid.</Trans>
    case 'PREPAID_NETWORK_FEE':
      return <Trans>The network fee of {what}, which the seller has prepaid, is used for the transfer.</Trans>
    case 'PREPAYMENT_RETURNED':
      return (
        <Trans>
          <b>{what}</b>, which the seller has prepaid, returns to the seller’s temporary balance.
        </Trans>
      )
  }
}

function Payout({ what, buyer, address }: { what: string; buyer: boolean; address: string }) {
  return buyer ? (
    <Trans>
      <b>{what}</b> goes from escrow to the buyer, to <span className="whitespace-nowrap">{address}</span>.
    </Trans>
  ) : (
    <Trans>
      <b>{what}</b> goes from escrow to the seller, to <span className="whitespace-nowrap">{address}</span>.
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
function Charge({ found, ruling, malicious }: { found: Case; ruling: Ruling; malicious: boolean }) {
  const { i18n } = useLingui()
  const { filedBy } = found.summary
  if (malicious && filedBy !== 'PLATFORM') {
    const initiator = i18n._(PARTIES[filedBy])
    return (
      <li>
        <Trans>{initiator}: loses all credit score for a malicious appeal.</Trans>
      </li>
    )
  }
  const loser = found.allowed.find((one) => one.ruling === ruling)?.charged ?? null
  if (loser === null) return null
  const charged = i18n._(PARTIES[loser])
  return (
    <li>
      <Trans>{charged}: loses credit score for a lost appeal.</Trans>
    </li>
  )
}
