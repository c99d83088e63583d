import { Trans, useLingui } from '@lingui/react/macro'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Appeal, Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { Movements } from '@/components/Movements'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { Sheet } from '@/ui/Sheet'

/** Withdraws an appeal, after saying what follows. */
export function WithdrawSheet({
  order,
  appeal,
  open,
  onClose,
}: {
  order: Order
  appeal: Appeal
  open: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
  const action = order.actions.find((one) => one.action === 'withdrawAppeal')
  const releases = action !== undefined && action.movements.length > 0
  const withdraw = useCommand({
    run: (input: { version: number }, headers) =>
      read(api.POST('/c2c/appeal/{id}', { params: { path: { id: appeal.id } }, body: input, headers })),
    touches: [keys.orders],
    done: onClose,
  })
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t`Withdraw the appeal?`}
      footer={
        <div className="flex max-2xs:flex-col-reverse gap-2.5">
          <Button tone="plain" size="large" onClick={onClose}>
            <Trans>Keep appeal</Trans>
          </Button>
          <Button
            tone="strong"
            size="large"
            wide
            busy={withdraw.busy}
            onClick={() => withdraw.send({ version: order.version })}
          >
            <Trans context="appeal">Withdraw</Trans>
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="leading-relaxed">
          {releases ? (
            <Trans>
              Both coins of this order are in escrow. As soon as the appeal is withdrawn, they’re released,
              which can’t be undone.
            </Trans>
          ) : (
            <Trans>
              The order continues with the time that was left. A party who was late gets extra time.
            </Trans>
          )}
        </p>
        <Movements movements={action?.movements} role={order.role} />
        {releases ? null : (
          <Notice tone="warn">
            <Trans>
              If the order is appealed again, only the person who appeals can withdraw that appeal.
            </Trans>
          </Notice>
        )}
      </div>
    </Sheet>
  )
}
