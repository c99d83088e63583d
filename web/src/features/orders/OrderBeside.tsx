import { Trans, useLingui } from '@lingui/react/macro'
import { MessageCircle } from 'lucide-react'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { EmptyState } from '@/ui/State'
import { Beside } from '@/ui/Table'
import { OrderDetails } from './OrderDetailPage'

/** The selected order beside the table of orders. */
export default function OrderBeside({ id }: { id: string }) {
  const { t } = useLingui()
  return (
    <Beside label={t`Details of the order`}>
      {id === '' ? (
        <EmptyState
          title={<Trans>No order selected</Trans>}
          text={<Trans>Choose an order to see what happens next.</Trans>}
        />
      ) : (
        <>
          <p className="flex justify-end pt-3">
            <AppLink to="/orderDetail" query={{ id }} className={buttonClass('quiet', 'small', false)}>
              <MessageCircle size={17} aria-hidden="true" />
              <Trans>Open with chat</Trans>
            </AppLink>
          </p>
          <OrderDetails key={id} id={id} />
        </>
      )}
    </Beside>
  )
}
