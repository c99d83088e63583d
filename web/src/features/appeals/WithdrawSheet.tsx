import { Trans, useLingui } from '@lingui/react/macro'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Appeal, Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useReviewed } from '@/command/useReviewed'
import { Movements } from '@/components/Movements'
import { Notice } from '@/ui/Card'
import { ConfirmationSheet } from '@/ui/ConfirmationSheet'

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
  const { version, notice } = useReviewed(order.version, { open, pending: withdraw.pending?.version })
  return (
    <ConfirmationSheet
      open={open}
      onClose={onClose}
      notice={notice}
      title={t`Withdraw the appeal?`}
      keep={<Trans>Keep appeal</Trans>}
      confirm={<Trans context="appeal">Withdraw</Trans>}
      tone="strong"
      busy={withdraw.busy}
      onConfirm={() => withdraw.send({ version })}
    >
      <p className="leading-relaxed">
        {releases ? (
          <Trans>
            Both deposits of this order are in escrow. As soon as the appeal is withdrawn, they’re released,
            which can’t be undone.
          </Trans>
        ) : (
          <Trans>
            The order continues with the time that was left. A party who was late gets extra time.
          </Trans>
        )}
      </p>
      <Movements movements={action?.movements} role={order.role} about={order} />
      {releases ? null : (
        <Notice tone="warn">
          <Trans>If the order is appealed again, only the person who appeals can withdraw that appeal.</Trans>
        </Notice>
      )}
    </ConfirmationSheet>
  )
}
