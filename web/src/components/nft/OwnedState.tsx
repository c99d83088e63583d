import { Trans, useLingui } from '@lingui/react/macro'
import type { OwnedNft } from '@/api/nfts'
import { AppLink } from '@/navigation/navigation'
import { Pill } from '@/ui/Badge'
import { OWNED_LABELS } from './ownedLabels'

const LINK = 'inline-flex min-h-11 items-center font-medium text-brand text-sm'

/** Where an NFT in custody is, with a link to the order or ad that has it. */
export function OwnedState({ nft }: { nft: OwnedNft }) {
  const { t } = useLingui()
  const { text, tone } = OWNED_LABELS[nft.state]
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <Pill tone={tone}>
        {t(text)}
        {nft.confirmations === null ? '' : ` ${nft.confirmations.seen}/${nft.confirmations.needed}`}
      </Pill>
      {nft.orderId !== null ? (
        <AppLink to="/orderDetail" query={{ id: nft.orderId }} className={LINK}>
          <Trans>View order</Trans>
        </AppLink>
      ) : nft.advertId !== null ? (
        <AppLink to="/creatingOther" query={{ id: nft.advertId }} className={LINK}>
          <Trans>View ad</Trans>
        </AppLink>
      ) : null}
    </span>
  )
}
