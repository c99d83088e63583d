import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { Order, OrderAction } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useExplained } from '@/command/useExplained'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { SecretField } from '@/ui/SecretField'
import { Sheet } from '@/ui/Sheet'
import { CancelCost } from './CancelCost'

/** Cancelling or rejecting: what it costs me is said by the function that will charge it. */
export function CancelSheet({
  order,
  action,
  open,
  onClose,
}: {
  order: Order
  action: OrderAction | undefined
  open: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const rejecting = action?.action === 'reject'
  const needsSecret = action?.securityCode === true
  const cancel = useCommand({
    run: async (input: { version: number; secret: string }, headers, seal) =>
      read(
        api.POST('/c2c/deal/order/cancel/{id}', {
          params: { path: { id: order.id } },
          body: {
            version: input.version,
            ...(needsSecret ? { securityCode: await seal(input.secret) } : {}),
          },
          headers,
        }),
      ),
    touches: [keys.orders, keys.credit, keys.me, keys.adverts],
    done: onClose,
    refused: (error) => isApiError(error) && error.code === 'USER3011',
  })
  const refused = useExplained(
    isApiError(cancel.error) && cancel.error.code === 'USER3011' ? cancel.error : null,
  )
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={rejecting ? t`Reject this order?` : t`Cancel this order?`}
      footer={
        <div className="flex max-2xs:flex-col-reverse gap-2.5">
          <Button tone="plain" size="large" onClick={onClose}>
            <Trans>Keep order</Trans>
          </Button>
          <Button
            tone="danger"
            size="large"
            wide
            busy={cancel.busy}
            onClick={() => {
              setTried(true)
              if (!needsSecret || secret !== '') cancel.send({ version: order.version, secret })
            }}
          >
            {rejecting ? <Trans>Reject order</Trans> : <Trans>Cancel order</Trans>}
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-4">
        {action === undefined ? null : <CancelCost action={action} />}
        {order.role === 'BUYER' &&
        (order.state === 'AWAITING_PAYMENT' || order.state === 'AWAITING_CONFIRMATION') ? (
          <Notice tone={order.paymentSeen === null ? 'warn' : 'danger'}>
            {order.paymentSeen === null ? (
              <Trans>
                Don’t cancel if you’ve already paid: you’d lose the coins and might not get your money back.
              </Trans>
            ) : (
              <Trans>
                Your payment was detected on-chain. Don’t cancel: you’d lose the coins and might not get your
                money back.
              </Trans>
            )}
          </Notice>
        ) : null}
        {needsSecret ? (
          <SecretField
            label={t`Security password`}
            autoComplete="off"
            value={secret}
            onChange={(value) => {
              setSecret(value)
              cancel.clear()
            }}
            error={refused !== '' ? refused : tried && secret === '' ? t`Enter your security password.` : ''}
          />
        ) : null}
      </div>
    </Sheet>
  )
}
