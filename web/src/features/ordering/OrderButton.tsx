import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OrderableAdvert } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { ActionBar } from '@/ui/ActionBar'
import { Button } from '@/ui/Button'
import type { Ordering } from './useOrdering'

/** The button that orders; or that confirms a price or fee that has changed. */
export function OrderButton({
  advert,
  ordering,
  nav = false,
  children,
}: {
  advert: OrderableAdvert
  ordering: Ordering
  /** Whether the bottom navigation is below the button. */
  nav?: boolean
  children: ReactNode
}) {
  const { amount } = useFormats()
  const { buying, changed, feeChanged, preview, order } = ordering
  return (
    <ActionBar nav={nav}>
      {feeChanged ? (
        <Button size="large" wide onClick={order.clear}>
          <Trans>Continue with the new fee</Trans>
        </Button>
      ) : changed === null ? (
        <Button
          size="large"
          wide
          tone={buying ? 'brand' : 'sell'}
          busy={order.busy || (buying && preview.loading)}
          disabled={advert.mine || advert.unmet.length > 0}
          onClick={ordering.submit}
        >
          {children}
        </Button>
      ) : (
        <Button size="large" wide onClick={ordering.confirmPrice}>
          <Trans>
            Continue at {amount(changed)} {advert.quote}
          </Trans>
        </Button>
      )}
    </ActionBar>
  )
}
