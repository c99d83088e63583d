import { Trans, useLingui } from '@lingui/react/macro'
import { EmptyState } from '@/ui/State'
import { Beside } from '@/ui/Table'
import { PlaceOrder } from './BuySellPage'

/** The order form of the selected ad beside the table of ads. */
export default function OrderingBeside({ id, wanted }: { id: string; wanted: string }) {
  const { t } = useLingui()
  return (
    <Beside label={t`Place an order`}>
      {id === '' ? (
        <EmptyState
          title={<Trans>No ad selected</Trans>}
          text={<Trans>Choose an ad to place an order here.</Trans>}
        />
      ) : (
        <div className="py-3">
          <PlaceOrder key={id} id={id} wanted={wanted} />
        </div>
      )}
    </Beside>
  )
}
