import { Trans, useLingui } from '@lingui/react/macro'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Advert } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useReviewed } from '@/command/useReviewed'
import { Movements } from '@/components/Movements'
import { ConfirmationSheet } from '@/ui/ConfirmationSheet'

/** Revokes an ad, after saying which coins return. */
export function RevokeSheet({
  advert,
  open,
  onClose,
}: {
  advert: Advert
  open: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
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
      title={t`Revoke this ad?`}
      keep={<Trans>Keep ad</Trans>}
      confirm={<Trans>Revoke ad</Trans>}
      busy={revoke.busy}
      onConfirm={() => revoke.send(version)}
    >
      <p className="leading-relaxed">
        <Explanation advert={advert} />
      </p>
      <Movements movements={advert.revocation} role={advert.side === 'SELL' ? 'SELLER' : 'BUYER'} />
    </ConfirmationSheet>
  )
}

/** What follows for orders and coins. The movements leave out what running orders may give back. */
function Explanation({ advert }: { advert: Advert }) {
  const returns = advert.revocation.length > 0
  if (advert.runningOrders > 0)
    return returns ? (
      <Trans>
        The ad stops taking new orders. Once its active orders are finished, the following coins are returned,
        and also what cancelled orders give back.
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
    <Trans>The ad stops taking orders. Nothing is left in escrow, so no coins are returned.</Trans>
  )
}
