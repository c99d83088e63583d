import { Plural, Trans } from '@lingui/react/macro'
import type { HallAdvert } from '@/api/types'

/** What the user does after ordering, and when. */
export function WhatComes({ advert }: { advert: HallAdvert }) {
  const { base, windowMinutes, depositMinutes } = advert
  const buying = advert.side === 'SELL'
  if (advert.kind === 'AUTOMATIC') {
    return buying ? (
      <Trans>
        Your order is accepted immediately. You then have{' '}
        <Plural value={windowMinutes} one="# minute" other="# minutes" /> to pay, and both sides settle in a
        single on-chain transaction.
      </Trans>
    ) : (
      <Trans>
        Your order is accepted immediately. You then have{' '}
        <Plural value={depositMinutes} one="# minute" other="# minutes" /> to deposit the {base} into escrow.
        Both sides settle in a single on-chain transaction, which pays you at your receiving address.
      </Trans>
    )
  }
  return buying ? (
    <Trans>
      Once the seller accepts, you have <Plural value={windowMinutes} one="# minute" other="# minutes" /> to
      pay. The {base} is sent to your own address once the seller confirms your payment.
    </Trans>
  ) : (
    <Trans>
      Once the buyer accepts, you have <Plural value={depositMinutes} one="# minute" other="# minutes" /> to
      deposit the {base} into escrow. The buyer then has{' '}
      <Plural value={windowMinutes} one="# minute" other="# minutes" /> to pay you. Release the {base} after
      you’ve received the payment.
    </Trans>
  )
}
