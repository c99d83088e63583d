import { Trans, useLingui } from '@lingui/react/macro'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Advert } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { Movements } from '@/components/Movements'
import { Button } from '@/ui/Button'
import { Sheet } from '@/ui/Sheet'

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
    run: (version: number, headers) =>
      read(
        api.POST('/c2c/advert/cancel/{id}', {
          params: { path: { id: advert.id } },
          body: { version },
          headers,
        }),
      ),
    touches: [keys.adverts, keys.hall, keys.balance],
    done: onClose,
  })
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t`Revoke this ad?`}
      footer={
        <div className="flex max-2xs:flex-col-reverse gap-2.5">
          <Button tone="plain" size="large" onClick={onClose}>
            <Trans>Keep ad</Trans>
          </Button>
          <Button
            tone="danger"
            size="large"
            wide
            busy={revoke.busy}
            onClick={() => revoke.send(advert.version)}
          >
            <Trans>Revoke ad</Trans>
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="leading-relaxed">
          <Explanation advert={advert} />
        </p>
        <Movements movements={advert.revocation} role={advert.side === 'SELL' ? 'SELLER' : 'BUYER'} />
      </div>
    </Sheet>
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
