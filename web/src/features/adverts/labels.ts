import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Advert, AdvertSide, AdvertState } from '@/api/types'
import { escrowedAsset } from '@/components/advertEscrow'
import type { PillTone } from '@/ui/Badge'

export const STATE_LABELS: Record<AdvertState, { text: MessageDescriptor; tone: PillTone }> = {
  CREATING: { text: msg`Awaiting escrow deposit`, tone: 'warn' },
  ONLINE: { text: msg`Online`, tone: 'good' },
  OFFLINE: { text: msg`Offline`, tone: 'neutral' },
  REVOKING: { text: msg`Revoking`, tone: 'info' },
  CANCELLED: { text: msg`Ended`, tone: 'neutral' },
  DELETED: { text: msg`Hidden`, tone: 'neutral' },
}

type EndReason = NonNullable<Advert['endReason']>

const ENDS: Record<Exclude<EndReason, 'SOLD_OUT' | 'REVOKED'>, MessageDescriptor> = {
  EXPIRED: msg`The deposit didn’t arrive in time.`,
  OWNER_CANCELLED: msg`You cancelled this ad.`,
  WRONG_DEPOSIT: msg`You sent a different asset. It was returned to your bound address, or is in custody for you if it couldn’t be returned.`,
}

const SOLD_OUT: Record<AdvertSide, MessageDescriptor> = {
  SELL: msg`Sold out.`,
  BUY: msg`Everything is bought.`,
}

const NFT_REVOKED = msg`You revoked this ad. The NFT was returned to your bound address, or stays in custody if you couldn’t withdraw. The fee is in your temporary balance again.`

/** Returns why an ad has ended. */
export function endLabel(
  advert: Pick<Advert, 'endReason' | 'side' | 'kind' | 'base' | 'quote' | 'nft'>,
): MessageDescriptor | null {
  switch (advert.endReason) {
    case null:
      return null
    case 'SOLD_OUT':
      return SOLD_OUT[advert.side]
    case 'REVOKED':
      if (advert.nft !== null) return NFT_REVOKED
      return escrowedAsset(advert) === null
        ? msg`You revoked this ad.`
        : msg`You revoked this ad. The remainder was returned to your bound address, or is temporary balance if you couldn’t withdraw.`
    default:
      return ENDS[advert.endReason]
  }
}
