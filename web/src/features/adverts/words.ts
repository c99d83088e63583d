import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { AdvertState } from '@/api/expected'
import type { PillTone } from '@/ui/Badge'

export const ADVERT_WORDS: Record<AdvertState, { text: MessageDescriptor; tone: PillTone }> = {
  CREATING: { text: msg`Awaiting escrow deposit`, tone: 'warn' },
  CONFIRMED: { text: msg`Deposit confirmed`, tone: 'good' },
  ONLINE: { text: msg`Online`, tone: 'good' },
  OFFLINE: { text: msg`Offline`, tone: 'neutral' },
  REVOKING: { text: msg`Being revoked`, tone: 'info' },
  CANCELLED: { text: msg`Ended`, tone: 'neutral' },
  DELETED: { text: msg`Hidden`, tone: 'neutral' },
}

const ENDS: Record<string, MessageDescriptor> = {
  expired: msg`The deposit did not come in time.`,
  ownerCancelled: msg`You cancelled it.`,
  wrongDeposit: msg`Something else arrived. It was sent back to your bound address.`,
  soldOut: msg`Sold out.`,
  revoked: msg`You took it back; the rest went to your bound address.`,
}

export function endOf(reason: string | null): MessageDescriptor | null {
  return reason === null ? null : (ENDS[reason] ?? null)
}
