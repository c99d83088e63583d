import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { Order } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { useReviewed } from '@/command/useReviewed'
import { FileField } from '@/components/files/FileField'
import { useUploads } from '@/components/files/useUploads'
import { useMoney } from '@/components/useMoney'
import { Button } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { TextField } from '@/ui/Field'
import { Sheet } from '@/ui/Sheet'

/** The maximum number of receipts of a payment. */
const MOST_RECEIPTS = 5

/** Explains what marking an order as paid means, before it is done. */
export default function PaidSheet({
  order,
  open,
  onClose,
}: {
  order: Order
  open: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
  const money = useMoney()
  const onChain = order.payToAddress !== null
  const methodId = order.payTo?.id ?? ''
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const receipts = useUploads(MOST_RECEIPTS)
  const hashWrong = onChain && note !== '' && !/^(0x)?[0-9a-fA-F]{64}$/.test(note.trim())
  const pay = useCommand({
    run: (input: { version: number; methodId: string; note: string; receipts: readonly string[] }, headers) =>
      read(
        api.POST('/c2c/deal/order/pay/{id}', {
          params: { path: { id: order.id } },
          body: {
            version: input.version,
            receipts: [...input.receipts],
            ...(input.methodId === '' ? {} : { methodId: input.methodId }),
            ...(input.note === '' ? {} : onChain ? { hash: input.note } : { reference: input.note }),
          },
          headers,
        }),
      ),
    touches: [keys.orders],
    done: onClose,
  })
  const { version, notice } = useReviewed(order.version, { open, pending: pay.pending?.version })
  return (
    <Sheet
      open={open}
      onClose={onClose}
      notice={notice}
      title={t`Have you paid?`}
      footer={
        <Button
          size="large"
          wide
          busy={pay.busy || receipts.busy}
          onClick={() => {
            setTried(true)
            if (hashWrong || receipts.failed) return
            pay.send({ version, methodId, note: note.trim(), receipts: receipts.ids })
          }}
        >
          <Trans>
            Yes, I’ve paid {money(order.total, order.quote)} {order.quote}
          </Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="leading-relaxed">
          <Trans>
            Confirm only after {money(order.total, order.quote)} {order.quote} has left your account. The
            seller will then check and confirm your payment.
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
        <FileField
          label={t`Receipt (optional)`}
          hint={t`A screenshot or photo of the payment, for the seller.`}
          error={tried && receipts.failed ? t`Remove the pictures that weren’t uploaded, or try again.` : ''}
          uploads={receipts}
          most={MOST_RECEIPTS}
        />
        <Notice tone="warn">
          <Trans>Marking an order as paid when you haven’t paid is fraud.</Trans>
        </Notice>
      </div>
    </Sheet>
  )
}
