import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { NftEvent } from '@/api/nfts'

/** What happened to an NFT. */
export const EVENT_LABELS: Record<NftEvent, MessageDescriptor> = {
  MINTED: msg`Minted`,
  TRANSFERRED: msg`Transferred`,
  BURNED: msg`Burned`,
  DEPOSITED: msg`Deposited into custody`,
  WITHDRAWN: msg`Withdrawn from custody`,
  SOLD: msg`Sold on MEC2C`,
}
