import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Advert, AdvertState } from '@/api/types'
import type { PillTone } from '@/ui/Badge'

export const STATE_LABELS: Record<AdvertState, { text: MessageDescriptor; tone: PillTone }> = {
  CREATING: { text: msg`Awaiting escrow deposit`, tone: 'warn' },
  ONLINE: { text: msg`Online`, tone: 'good' },
  OFFLINE: { text: msg`Offline`, tone: 'neutral' },
  REVOKING: { text: msg`Revoking`, tone: 'info' },
  CANCELLED: { text: msg`Ended`, tone: 'neutral' },
  DELETED: { text: msg`Hidden`, tone: 'neutral' },
}

const ENDS: Record<NonNullable<Advert['endReason']>, MessageDescriptor> = {
  EXPIRED: msg`The deposit didn’t arrive in time.`,
  OWNER_CANCELLED: msg`You cancelled this ad.`,
  WRONG_DEPOSIT: msg`You sent a different asset. It was returned to your bound address.`,
  SOLD_OUT: msg`Sold out.`,
  REVOKED: msg`You revoked this ad. The remainder was returned to your bound address, or is temporary balance if you couldn’t withdraw.`,
}

export function endLabel(reason: Advert['endReason']): MessageDescriptor | null {
  return reason === null ? null : ENDS[reason]
}
