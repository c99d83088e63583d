import { Trans } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { Order } from '@/api/types'
import { Notice } from '@/ui/Card'

/** Warns the seller if what the buyer reported of the payment was reported for another order, too. */
export function RepeatedReport({ order }: { order: Order }) {
  const { payment } = order
  if (payment === null || (!payment.hashRepeated && !payment.referenceRepeated)) return null
  return (
    <Notice tone="danger" icon={<TriangleAlert size={18} aria-hidden="true" />}>
      {payment.hashRepeated ? (
        <Trans>
          The same transaction was reported for another order, too, and pays only one of them. Confirm only if
          you know that it’s this one.
        </Trans>
      ) : (
        <Trans>
          The same payment reference was given for another order, too. Check with special care that this
          payment has arrived.
        </Trans>
      )}
    </Notice>
  )
}
