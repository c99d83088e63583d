import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useFormats } from '@/i18n/format'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { TextField } from '@/ui/Field'
import { Sheet } from '@/ui/Sheet'

/** Explains what marking an order as paid means, before it is done. */
export function PaidSheet({ order, open, onClose }: { order: Order; open: boolean; onClose: () => void }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const onChain = order.payToAddress !== null
  const methodId = order.payTo?.id ?? ''
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const hashWrong = onChain && note !== '' && !/^(0x)?[0-9a-fA-F]{64}$/.test(note.trim())
  const pay = useCommand({
    run: (input: { version: number; methodId: string; note: string }, headers) =>
      read(
        api.POST('/c2c/deal/order/pay/{id}', {
          params: { path: { id: order.id } },
          body: {
            version: input.version,
            ...(input.methodId === '' ? {} : { methodId: input.methodId }),
            ...(input.note === '' ? {} : onChain ? { hash: input.note } : { reference: input.note }),
          },
          headers,
        }),
      ),
    touches: [keys.orders],
    done: onClose,
  })
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t`Have you paid?`}
      footer={
        <Button
          size="large"
          wide
          busy={pay.busy}
          onClick={() => {
            setTried(true)
            if (!hashWrong) pay.send({ version: order.version, methodId, note: note.trim() })
          }}
        >
          <Trans>
            Yes, I’ve paid {amount(order.total)} {order.quote}
          </Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="leading-relaxed">
          <Trans>
            Confirm only after {amount(order.total)} {order.quote} has left your account. The seller will then
            check and confirm your payment.
          </Trans>
        </p>
        <TextField
          label={onChain ? t`Transaction hash (optional)` : t`Payment reference (optional)`}
          value={note}
          maxLength={100}
          autoComplete="off"
          onChange={setNote}
          error={tried && hashWrong ? t`Enter a valid transaction hash (64 hexadecimal digits).` : ''}
          hint={onChain ? '' : t`Helps the seller find your payment.`}
        />
        <Notice tone="warn">
          <Trans>Marking an order as paid when you haven’t paid is fraud.</Trans>
        </Notice>
      </div>
    </Sheet>
  )
}
