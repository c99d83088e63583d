import { Trans, useLingui } from '@lingui/react/macro'
import { BellRing } from 'lucide-react'
import { useGo } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { dismissAnnounced, useAnnounced } from './useLiveSession'

/** Somebody ordered against one of my ads: the clock of acceptance is running. */
export function NewOrderBanner() {
  const { t } = useLingui()
  const go = useGo()
  const orderId = useAnnounced()
  return (
    <div role="alert" className="pointer-events-none fixed inset-x-0 top-16 z-40 flex justify-center px-3">
      {orderId === null ? null : (
        <div className="pointer-events-auto flex w-full max-w-[38rem] animate-rise items-center gap-3 rounded-2xl border border-line bg-raised p-3 shadow-2xl">
          <span className="grid size-11 shrink-0 place-items-center rounded-2xl bg-warn-soft text-warn">
            <BellRing size={22} aria-hidden="true" />
          </span>
          <p className="min-w-0 flex-1 font-semibold leading-snug">
            <Trans>You have a new order</Trans>
          </p>
          <Button
            tone="plain"
            size="small"
            onClick={() => dismissAnnounced(orderId)}
            aria-label={t`Dismiss this notice`}
          >
            <Trans>Later</Trans>
          </Button>
          <Button
            size="small"
            onClick={() => {
              dismissAnnounced(orderId)
              go.to('/orderDetail', { id: orderId })
            }}
          >
            <Trans>Open</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}
