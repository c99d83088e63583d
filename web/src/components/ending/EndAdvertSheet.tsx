import { Trans, useLingui } from '@lingui/react/macro'
import { api, read } from '@/api/client'
import type { Prepayment } from '@/api/nfts'
import { keys } from '@/api/queries'
import type { Advert } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useReviewed } from '@/command/useReviewed'
import { escrowedAsset } from '@/components/advertEscrow'
import { Movements } from '@/components/Movements'
import { useFormats } from '@/i18n/format'
import { ConfirmationSheet } from '@/ui/ConfirmationSheet'
import { Gap } from '@/ui/Gap'
import { WithdrawCondition } from './WithdrawCondition'

/** Revokes an ad, or cancels one that waits for its deposit, after saying what returns. */
export function EndAdvertSheet({
  advert,
  open,
  onClose,
}: {
  advert: Advert
  open: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
  const creating = advert.state === 'CREATING'
  const revoke = useCommand({
    run: (reviewed: number, headers) =>
      read(
        api.POST('/c2c/advert/cancel/{id}', {
          params: { path: { id: advert.id } },
          body: { version: reviewed },
          headers,
        }),
      ),
    touches: [keys.adverts, keys.hall, keys.balance],
    done: onClose,
  })
  const { version, notice } = useReviewed(advert.version, { open, pending: revoke.pending })
  return (
    <ConfirmationSheet
      open={open}
      onClose={onClose}
      notice={notice}
      title={creating ? t`Cancel this ad?` : t`Revoke this ad?`}
      keep={<Trans>Keep ad</Trans>}
      confirm={creating ? <Trans>Cancel ad</Trans> : <Trans>Revoke ad</Trans>}
      busy={revoke.busy}
      onConfirm={() => revoke.send(version)}
    >
      <p className="leading-relaxed">
        {creating && advert.nft !== null ? (
          <Trans>
            The ad won’t be created. If the NFT has arrived, it stays in custody for you. What you prepaid
            returns to your temporary balance.
          </Trans>
        ) : creating ? (
          <>
            <Trans>
              The ad won’t be created. Anything that has arrived is added to your temporary balance.
            </Trans>
            <Gap />
            <WithdrawCondition />
          </>
        ) : (
          <Explanation advert={advert} />
        )}
      </p>
      <Movements
        movements={advert.revocation}
        role={advert.side === 'SELL' ? 'SELLER' : 'BUYER'}
        about={advert}
      />
      {advert.prepayment === null || advert.runningOrders === 0 ? null : (
        <PrepaidInOrder prepayment={advert.prepayment} />
      )}
    </ConfirmationSheet>
  )
}

/** What becomes of what the seller of an NFT has prepaid, which depends on how the running order of the ad ends. */
function PrepaidInOrder({ prepayment: { asset, fee, gas } }: { prepayment: Prepayment }) {
  const { amount } = useFormats()
  return (
    <p className="text-muted leading-relaxed">
      <Trans>
        If the order is completed, MEC2C keeps the prepaid fee of {amount(fee)} {asset}. If not, the fee
        returns to your temporary balance. The prepaid network fee of {amount(gas)} {asset} is used for the
        transfer.
      </Trans>
    </p>
  )
}

/** What follows for orders and for what is in escrow. The movements leave out what running orders may give back. */
function Explanation({ advert }: { advert: Advert }) {
  const returns = advert.revocation.length > 0
  if (escrowedAsset(advert) === null)
    return advert.runningOrders > 0 ? (
      <Trans>The ad stops taking new orders. Its active orders continue. It has nothing in escrow.</Trans>
    ) : (
      <Trans>The ad stops taking orders. It has nothing in escrow, so nothing is returned.</Trans>
    )
  if (advert.runningOrders > 0)
    return returns ? (
      <Trans>
        The ad stops taking new orders. Once its active orders are finished, the following is returned, and
        also what cancelled orders give back.
      </Trans>
    ) : (
      <Trans>
        The ad stops taking new orders. Once its active orders are finished, what cancelled orders give back
        is returned.
      </Trans>
    )
  return returns ? (
    <Trans>The ad stops taking orders, and what is left in escrow is returned.</Trans>
  ) : (
    <Trans>The ad stops taking orders. Nothing is left in escrow, so nothing is returned.</Trans>
  )
}
