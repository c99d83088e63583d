import { Trans } from '@lingui/react/macro'
import type { HallAdvert } from '@/api/types'

/** What the user does after ordering, and when. */
export function WhatComes({ advert }: { advert: HallAdvert }) {
  const { base, windowMinutes } = advert
  const buying = advert.side === 'SELL'
  if (advert.kind === 'AUTOMATIC') {
    return buying ? (
      <Trans>
        Your order is accepted immediately. You then have {windowMinutes} minutes to pay, and both sides
        settle in a single on-chain transaction.
      </Trans>
    ) : (
      <Trans>
        Your order is accepted immediately. Then deposit the {base} into escrow within the time that the order
        shows. Both sides settle in a single on-chain transaction, which pays you at your receiving address.
      </Trans>
    )
  }
  return buying ? (
    <Trans>
      Once the seller accepts, you have {windowMinutes} minutes to pay. The coins are sent to your own address
      once the seller confirms your payment.
    </Trans>
  ) : (
    <Trans>
      Once the buyer accepts, deposit the coins into escrow within the time that the order shows. The buyer
      then has {windowMinutes} minutes to pay you. Release the coins after you’ve received the payment.
    </Trans>
  )
}
