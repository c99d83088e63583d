import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CustodyState } from '@/api/nfts'
import type { PillTone } from '@/ui/Badge'

/** The states of an NFT in custody. */
export const OWNED_LABELS: Record<CustodyState, { text: MessageDescriptor; tone: PillTone }> = {
  CONFIRMING: { text: msg`Confirming`, tone: 'warn' },
  AVAILABLE: { text: msg`In custody`, tone: 'good' },
  IN_ADVERT: { text: msg`In your ad`, tone: 'info' },
  IN_ORDER: { text: msg`In an order`, tone: 'info' },
  LEAVING: { text: msg`On the way to you`, tone: 'info' },
}
