import { Trans } from '@lingui/react/macro'
import type { HallAdvert } from '@/api/types'

/** What the user does after ordering, and when. */
export function WhatComes({ advert }: { advert: HallAdvert }) {
  const { base, windowMinutes, depositMinutes } = advert
  const buying = advert.side === 'SELL'
  if (advert.kind === 'AUTOMATIC') {
    return buying ? (
      <Trans>
        Your order is accepted immediately. You then have {windowMinutes} minutes to pay, and both sides
        settle in a single on-chain transaction.
      </Trans>
    ) : (
      <Trans>
        Your order is accepted immediately. You then have {depositMinutes} minutes to deposit the {base} into
        escrow. Both sides settle in a single on-chain transaction, which pays you at your receiving address.
      </Trans>
    )
  }
  return buying ? (
    <Trans>
      Once the seller accepts, you have {windowMinutes} minutes to pay. The {base} is sent to your own address
      once the seller confirms your payment.
    </Trans>
  ) : (
    <Trans>
      Once the buyer accepts, you have {depositMinutes} minutes to deposit the {base} into escrow. The buyer
      then has {windowMinutes} minutes to pay you. Release the {base} after you’ve received the payment.
    </Trans>
  )
}
