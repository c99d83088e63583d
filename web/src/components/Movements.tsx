import { Trans, useLingui } from '@lingui/react/macro'
import { movedText, movesNft, type Traded } from '@/api/nftName'
import type { Movement, Order } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { Line } from '@/ui/Card'
import { ChainText } from './ChainRow'
import { WithdrawCondition } from './ending/WithdrawCondition'

/** What a command will move, as computed by the server with the function that executes it. */
export function Movements({
  movements,
  role,
  about,
}: {
  movements: readonly Movement[] | undefined
  /** The role of the user. */
  role: Order['role']
  /** The ad or order whose coins or NFT move. */
  about: Traded
}) {
  if (movements === undefined || movements.length === 0) return null
  return (
    <section className="rounded-2xl bg-sunken px-4 py-2">
      <h3 className="pt-2 font-semibold text-sm">
        <Trans>What happens in escrow</Trans>
      </h3>
      <dl>
        {movements.map((movement) => (
          <MovementLine
            key={`${movement.kind} ${movement.asset} ${movement.party}`}
            movement={movement}
            mine={movement.party === role}
            about={about}
          />
        ))}
      </dl>
      {movements.some(
        ({ kind, party, asset }) => kind === 'TEMPORARY_BALANCE' && party === role && !movesNft(about, asset),
      ) ? (
        <p className="pb-2 text-muted text-sm">
          <WithdrawCondition />
        </p>
      ) : null}
    </section>
  )
}

function MovementLine({ movement, mine, about }: { movement: Movement; mine: boolean; about: Traded }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const buyer = movement.party === 'BUYER'
  const nft = movesNft(about, movement.asset)
  const labels = {
    PAYOUT: mine ? t`To your address` : buyer ? t`To the buyer` : t`To the seller`,
    BACK_TO_ADVERT: mine
      ? t`Back to your ad`
      : buyer
        ? t`Back to the buyer’s ad`
        : t`Back to the seller’s ad`,
    TEMPORARY_BALANCE: nft
      ? mine
        ? t`To your NFTs in custody`
        : buyer
          ? t`To the buyer’s NFTs in custody`
          : t`To the seller’s NFTs in custody`
      : mine
        ? t`To your temporary balance`
        : buyer
          ? t`To the buyer’s temporary balance`
          : t`To the seller’s temporary balance`,
    FEE: t`Trading fee`,
    NETWORK_FEE: t`Network fee`,
    PREPAID_FEE: t`Prepaid fee, kept by MEC2C`,
    PREPAID_NETWORK_FEE: t`Prepaid network fee, used for the transfer`,
    PREPAYMENT_RETURNED: mine
      ? t`Prepaid, back to your temporary balance`
      : t`Prepaid, back to the seller’s temporary balance`,
  }
  return (
    <Line label={labels[movement.kind]}>
      {movedText(amount, about, movement.asset, movement.amount)}
      {movement.address === null ? null : (
        <span className="block text-xs" title={movement.address}>
          <ChainText kind="address" value={movement.address} />
        </span>
      )}
      {movement.kind === 'TEMPORARY_BALANCE' && !nft ? (
        <span className="block text-muted text-xs">
          <Trans>Not more than the network fee of a refund</Trans>
        </span>
      ) : null}
    </Line>
  )
}
