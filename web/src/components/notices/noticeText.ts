import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { TalkEntry } from '@/api/types'

/** What the conversation says about a transition, by the notice of the server. */
const NOTICES: Record<string, MessageDescriptor> = {
  NEW_ORDER: msg`The order was placed`,
  ORDER_ACCEPTED: msg`The order was accepted`,
  ORDER_REJECTED: msg`The order was rejected`,
  ORDER_CANCELLED: msg`The order was cancelled`,
  CANCEL_ASKED: msg`The seller asked the buyer to cancel the order`,
  ORDER_DEPOSITED: msg`The seller’s deposit is in escrow`,
  DEPOSIT_OVERDUE: msg`The deposit is overdue`,
  ORDER_PAID: msg`The payment arrived on-chain`,
  PAYMENT_OVERDUE: msg`The payment is overdue`,
  PAYMENT_AMBIGUOUS: msg`A transfer fits this and other orders. The buyer has extra time to mark the order as paid.`,
  CONFIRMATION_OVERDUE: msg`The confirmation is overdue`,
  PAYMENT_CONFIRMED: msg`The seller confirmed the payment. The release to the buyer has begun.`,
  // In automatic orders, a release pays both parties.
  ORDER_RELEASING: msg`The release from escrow has begun`,
  RELEASE_REVOKED: msg`The release was reversed on-chain and is being sent again`,
  ORDER_COMPLETED: msg`Completed: the release has arrived`,
  REFUND_REVOKED: msg`The refund was reversed on-chain and is being sent again`,
  PAYOUT_REDIRECTED: msg`The recipient’s address refuses the transfer. What it would have received stays in custody for the recipient.`,
  PAYOUT_VOIDED: msg`The payout failed on-chain. An officer will decide the order.`,
  PICTURE_USED_BEFORE: msg`A picture of this order was attached to another order before`,
  APPEAL_FILED: msg`MEC2C asked an officer to decide the order. It’s locked until the appeal ends.`,
  EVIDENCE_ADDED: msg`Evidence was added to the appeal`,
  EVIDENCE_REQUESTED: msg`An officer asked for evidence`,
  APPEAL_WITHDRAWN: msg`The appeal has ended, and the order is restored`,
  APPEAL_REJECTED: msg`An officer rejected the appeal, and the order is restored`,
  APPEAL_DECIDED: msg`An officer decided the appeal. The decision takes effect after a delay.`,
  APPEAL_REOPENED: msg`The decision was revoked. An officer will decide again.`,
  ORDER_DECIDED: msg`The officer’s decision took effect`,
  ORDER_FROZEN: msg`The deposit was reversed on-chain. The order is paused until it’s restored.`,
  ORDER_UNFROZEN: msg`The deposit is restored, and the order continues`,
  DEADLINE_MOVED: msg`The deadline was extended`,
}

type Party = NonNullable<TalkEntry['author']>

/** What one of the parties reads, where it concerns them in another way than the other party. */
const FOR_PARTY: Record<Party, Record<string, MessageDescriptor>> = {
  BUYER: {
    CANCEL_ASKED: msg`The seller asked you to cancel the order`,
    PAYMENT_AMBIGUOUS: msg`A transfer fits this and other orders. You have extra time to mark the order as paid.`,
    PAYMENT_CONFIRMED: msg`The seller confirmed the payment. The release to you has begun.`,
    APPEAL_FILED: msg`MEC2C asked an officer to decide the order. It’s locked: don’t pay.`,
    ORDER_FROZEN: msg`The deposit was reversed on-chain. Don’t pay until it’s restored.`,
  },
  SELLER: {
    CANCEL_ASKED: msg`You asked the buyer to cancel the order`,
    ORDER_DEPOSITED: msg`Your deposit is in escrow`,
    PAYMENT_CONFIRMED: msg`You confirmed the payment. The release to the buyer has begun.`,
  },
}

/** Transitions that a party caused, by whether the reader is that party. The text says who it was. */
const CAUSED: Record<string, Record<'own' | Party, MessageDescriptor>> = {
  ORDER_ACCEPTED: {
    own: msg`You accepted the order`,
    BUYER: msg`The buyer accepted the order`,
    SELLER: msg`The seller accepted the order`,
  },
  ORDER_REJECTED: {
    own: msg`You rejected the order`,
    BUYER: msg`The buyer rejected the order`,
    SELLER: msg`The seller rejected the order`,
  },
  ORDER_CANCELLED: {
    own: msg`You cancelled the order`,
    BUYER: msg`The buyer cancelled the order`,
    SELLER: msg`The seller cancelled the order`,
  },
  ORDER_PAID: {
    own: msg`You marked the order as paid`,
    BUYER: msg`The buyer marked the order as paid`,
    SELLER: msg`The payment arrived on-chain`,
  },
  APPEAL_FILED: {
    own: msg`You filed an appeal. The order is locked until it ends.`,
    BUYER: msg`The buyer filed an appeal. The order is locked until it ends.`,
    SELLER: msg`The seller filed an appeal. The order is locked: don’t pay.`,
  },
  EVIDENCE_ADDED: {
    own: msg`You added evidence to the appeal`,
    BUYER: msg`The buyer added evidence to the appeal`,
    SELLER: msg`The seller added evidence to the appeal`,
  },
  APPEAL_WITHDRAWN: {
    own: msg`You withdrew the appeal, and the order is restored`,
    BUYER: msg`The buyer withdrew the appeal, and the order is restored`,
    SELLER: msg`The seller withdrew the appeal, and the order is restored`,
  },
}

const OTHER = msg`The order was updated`

/** Returns what one of the parties reads about a transition. */
export function noticeText(
  { notice, author }: Pick<TalkEntry, 'notice' | 'author'>,
  reader: Party | null,
): MessageDescriptor {
  if (notice === null) return OTHER
  const caused = author === null ? undefined : CAUSED[notice]?.[author === reader ? 'own' : author]
  const own = reader === null ? undefined : FOR_PARTY[reader][notice]
  return caused ?? own ?? NOTICES[notice] ?? OTHER
}
